// The head of the page, the keys of the views, and the first drawing.
byId("store").append(quote(document.documentElement.dataset.store));
byId("mode").textContent = mayWrite ? "may write" : "read only";
// The fragment of the address is that of a view.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
byId("help-button").addEventListener("click", showHelp);
for (const [name, { title, key }] of Object.entries(views)) if (key) keys.add("g " + key, "Go to " + title,
  () => go(name));
keys.add("l", "Open or close the live log", () => {
  const log = byId("live-log");
  log.open = !log.open;
  if (log.open) log.querySelector("summary").focus();
});
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", route);
document.addEventListener("visibilitychange", () => live.connect());
history.scrollRestoration = "manual";
showState("connecting");
route();
// The newest position is known from any answer; the stream begins there. A store that is being built has none yet.
function begin() {
  ask(["status"]).then(({ position, rows }) => { live.start(rows[0]?.position ?? position); past.grew(); }, (fault) => {
    showState(fault.message, true);
    setTimeout(begin, 5000);
  });
}
begin();
