BEGIN TRANSACTION;
CREATE TABLE decisions (
    match TEXT NOT NULL REFERENCES matches(id),
    ply INTEGER NOT NULL,
    who TEXT NOT NULL,
    position TEXT NOT NULL,
    move TEXT NOT NULL,
    after TEXT NOT NULL,
    mover INTEGER NOT NULL,
    faces TEXT NOT NULL,
    gain INTEGER NOT NULL DEFAULT 0,
    made TEXT NOT NULL,
    PRIMARY KEY (match, ply, who)
) WITHOUT ROWID;
INSERT INTO "decisions" VALUES('m_any',0,'dice','-||0','cast','-|65|1',0,'[6, 5]',0,'2026-11-16T17:32:39.977Z');
INSERT INTO "decisions" VALUES('m_any',1,'you','-|65|1','keep -','-|66|2',0,'[6, 6]',0,'2026-11-16T17:32:39.987Z');
INSERT INTO "decisions" VALUES('m_any',2,'you','-|66|2','keep -','-|62|3',0,'[2, 6]',0,'2026-11-16T17:32:39.994Z');
INSERT INTO "decisions" VALUES('m_any',3,'you','-|62|3','keep 2','2|5|4',0,'[5]',0,'2026-11-16T17:32:40.002Z');
INSERT INTO "decisions" VALUES('m_next',0,'dice','-||0','cast','-|621|1',0,'[6, 1, 2]',0,'2026-11-16T17:32:39.953Z');
INSERT INTO "decisions" VALUES('m_next',1,'you','-|621|1','keep 62','62|3|2',0,'[3]',0,'2026-11-16T17:32:39.958Z');
INSERT INTO "decisions" VALUES('m_next',2,'you','62|3|2','keep 62','62|6|3',0,'[6]',0,'2026-11-16T17:32:39.962Z');
INSERT INTO "decisions" VALUES('m_open',0,'dice','-||0','cast','-|532|1',0,'[5, 3, 2]',0,'2026-11-16T17:32:40.012Z');
INSERT INTO "decisions" VALUES('m_stopped',0,'dice','-||0','cast','-|651|1',0,'[6, 5, 1]',0,'2026-11-16T17:32:40.019Z');
INSERT INTO "decisions" VALUES('m_stopped',1,'you','-|651|1','keep 1','1|63|2',0,'[6, 3]',0,'2026-11-16T17:32:40.026Z');
INSERT INTO "decisions" VALUES('m_best',0,'dice','-||0','cast','-|644|1',0,'[6, 4, 4]',0,'2026-11-16T17:32:39.875Z');
INSERT INTO "decisions" VALUES('m_best',1,'you','-|644|1','keep 4','4|42|2',0,'[4, 2]',0,'2026-11-16T17:32:39.882Z');
INSERT INTO "decisions" VALUES('m_best',2,'you','4|42|2','keep 42','42|5|3',0,'[5]',0,'2026-11-16T17:32:39.911Z');
INSERT INTO "decisions" VALUES('m_worst',0,'dice','-||0','cast','-|442|1',0,'[4, 4, 2]',0,'2026-11-16T17:32:39.930Z');
INSERT INTO "decisions" VALUES('m_worst',1,'you','-|442|1','keep 442','442||1',1,'[]',0,'2026-11-16T17:32:39.935Z');
CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES players(number),
    number INTEGER NOT NULL,
    game TEXT NOT NULL,
    parameters TEXT NOT NULL,
    title TEXT NOT NULL,
    opponent TEXT NOT NULL,
    you_start INTEGER NOT NULL,
    coin INTEGER NOT NULL,
    seed TEXT NOT NULL,
    coach TEXT NOT NULL,
    warn_at REAL NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    outcome TEXT,
    UNIQUE (player, number)
);
INSERT INTO "matches" VALUES('m_best',1,1,'421','{"dice": 3, "die": "6", "casts": 3, "keep": "aside", "utility": "goal:421", "player": "first"}','421 goal:421','{"kind": "nobody"}',1,0,'4076450818847497174','on',0.02,'2026-11-16T17:32:39.871Z','2026-11-16T17:32:39.911Z','done');
INSERT INTO "matches" VALUES('m_worst',1,2,'421','{"dice": 3, "die": "6", "casts": 3, "keep": "aside", "utility": "goal:421", "player": "first"}','421 goal:421','{"kind": "nobody"}',1,0,'3464024016849461108','on',0.02,'2026-11-16T17:32:39.928Z','2026-11-16T17:32:39.935Z','done');
INSERT INTO "matches" VALUES('m_next',1,3,'421','{"dice": 3, "die": "6", "casts": 3, "keep": "aside", "utility": "transfer", "player": "next"}','421 transfer player=next','{"kind": "nobody"}',1,0,'780791712312012493','on',0.02,'2026-11-16T17:32:39.950Z','2026-11-16T17:32:39.962Z','done');
INSERT INTO "matches" VALUES('m_any',1,4,'421','{"dice": 2, "die": "6", "casts": 4, "keep": "any", "utility": "sum", "player": "first"}','421 sum dice=2 casts=4 keep=any','{"kind": "nobody"}',1,0,'298751220404528854','on',0.02,'2026-11-16T17:32:39.974Z','2026-11-16T17:32:40.002Z','done');
INSERT INTO "matches" VALUES('m_open',1,5,'421','{"dice": 3, "die": "6", "casts": 3, "keep": "aside", "utility": "goal:421", "player": "first"}','421 goal:421','{"kind": "nobody"}',1,0,'1726680995298253441','on',0.02,'2026-11-16T17:32:40.010Z',NULL,NULL);
INSERT INTO "matches" VALUES('m_stopped',1,6,'421','{"dice": 3, "die": "6", "casts": 3, "keep": "aside", "utility": "goal:421", "player": "first"}','421 goal:421','{"kind": "nobody"}',1,0,'1962735912583348976','on',0.02,'2026-11-16T17:32:40.017Z','2026-11-16T17:32:40.030Z','stopped');
INSERT INTO "matches" VALUES('m_pig',1,7,'pig','{"target": 10, "die": "6", "bust": 1, "dice": 1, "passing": false}','pig target=10','{"kind": "strategy", "name": "turtle", "called": "turtle"}',1,0,'2710920288725121181','off',0.02,'2026-11-16T17:32:40.060Z',NULL,NULL);
CREATE TABLE players (
    number INTEGER PRIMARY KEY,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    since TEXT NOT NULL,
    answers TEXT NOT NULL DEFAULT '{}'
);
INSERT INTO "players" VALUES(1,'the token','player 1','2026-11-16T17:32:39.840Z','{}');
CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    added TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE TABLE reviews (match TEXT PRIMARY KEY REFERENCES matches(id), score TEXT NOT NULL);
INSERT INTO "reviews" VALUES('m_best','{"id": "m_best", "title": "421 goal:421", "game": "421", "played": "2026-11-16T17:32:39.871Z", "outcome": "done", "opponent": "nobody", "error_per_decision": 0.0, "cost": 0.0, "luck": -0.2281110682441701, "luck_adjusted": 0.2281110682441701, "unforced": 2, "mistakes": 0, "result": 0.0, "grade": "A+", "faults": {}}');
INSERT INTO "reviews" VALUES('m_worst','{"id": "m_worst", "title": "421 goal:421", "game": "421", "played": "2026-11-16T17:32:39.928Z", "outcome": "done", "opponent": "nobody", "error_per_decision": 0.3055555555555556, "cost": 0.3055555555555556, "luck": 0.07744448731138548, "luck_adjusted": -0.07744448731138548, "unforced": 1, "mistakes": 1, "result": 0.0, "grade": "E", "faults": {}}');
INSERT INTO "reviews" VALUES('m_next','{"id": "m_next", "title": "421 transfer player=next", "game": "421", "played": "2026-11-16T17:32:39.950Z", "outcome": "done", "opponent": "nobody", "error_per_decision": 2.314814814814815, "cost": 2.314814814814815, "luck": 0.404913980338363, "luck_adjusted": 0.595086019661637, "unforced": 1, "mistakes": 1, "result": 1.0, "grade": "E", "faults": {}}');
INSERT INTO "reviews" VALUES('m_any','{"id": "m_any", "title": "421 sum dice=2 casts=4 keep=any", "game": "421", "played": "2026-11-16T17:32:39.974Z", "outcome": "done", "opponent": "nobody", "error_per_decision": 3.055555555555556, "cost": 9.166666666666668, "luck": 6.277777777777777, "luck_adjusted": 0.7222222222222232, "unforced": 3, "mistakes": 3, "result": 7.0, "grade": "E", "faults": {}}');
CREATE INDEX matches_by_title ON matches (title, ended);
COMMIT;
PRAGMA user_version = 1;
