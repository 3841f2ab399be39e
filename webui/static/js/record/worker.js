// The recorder without a connection: whatever the server does not answer comes from what the page kept of itself.
const KEPT = "bezique-recorder";

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET") event.respondWith(fetch(request).catch(() => keptAnswer(request)));
});

// The page itself stands for every game that its address may name.
async function keptAnswer(request) {
  const kept = await caches.open(KEPT);
  const answer = await kept.match(request, { ignoreSearch: request.mode === "navigate" });
  return answer ?? Response.error();
}
