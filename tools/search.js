/* Search without a server: the index comes as a script, which a page opened from disk may load. */
(function () {
  var input = document.getElementById("mkdocs-search-query");
  var shown = document.getElementById("mkdocs-search-results");
  if (!input || !shown) return;

  function load(name, then) {
    var script = document.createElement("script");
    script.src = base_url + "/search/" + name;
    script.onload = then;
    document.head.appendChild(script);
  }

  function entry(page, whole, words) {
    var article = document.createElement("article");
    var link = article.appendChild(document.createElement("h3")).appendChild(
      document.createElement("a"));
    link.href = base_url + "/" + page.location;
    link.textContent = (whole === page ? "" : whole.title + ": ") + page.title;
    var at = Math.max(0, page.text.toLowerCase().indexOf(words[0]) - 80);
    article.appendChild(document.createElement("p")).textContent = page.text.substr(at, 240);
    return article;
  }

  function begin() {
    var pages = {};
    var index = lunr(function () {
      this.ref("location");
      this.field("title", { boost: 10 });
      this.field("text");
      search_index.docs.forEach(function (page) {
        pages[page.location] = page;
        this.add(page);
      }, this);
    });

    function search() {
      var words = lunr.tokenizer(input.value).map(String);
      // the last word may not be written to its end yet
      var found = words.length === 0 ? [] : index.query(function (query) {
        words.forEach(function (word, place) {
          query.term(word, { boost: 5 });
          if (place === words.length - 1) {
            query.term(word, { wildcard: lunr.Query.wildcard.TRAILING });
          }
        });
      });
      shown.textContent = found.length || words.length === 0 ? "" : "Nothing found.";
      found.slice(0, 20).forEach(function (result) {
        var whole = pages[result.ref.split("#")[0]];
        shown.appendChild(entry(pages[result.ref], whole, words));
      });
    }

    input.addEventListener("keyup", search);
    input.form.addEventListener("submit", function (event) { event.preventDefault(); });
    var asked = new URLSearchParams(window.location.search).get("q");
    if (asked) input.value = asked;
    search();
  }

  load("lunr.js", function () { load("search_index.js", begin); });
})();
