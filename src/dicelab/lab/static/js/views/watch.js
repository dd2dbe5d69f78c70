// Watching two people play: the table without buttons and without the coach.

import { tableAt } from "./table.js";

export default (place, { id, url }) => tableAt(place, { url, path: `/api/watch/${encodeURIComponent(id ?? "")}`, watching: true });
