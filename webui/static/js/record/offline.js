// Keeps the page and all that it loads on the device, so that it opens without a connection, too.
const KEPT = "bezique-recorder";

export async function keepPage({ page, worker }) {
  if (!navigator.serviceWorker || !globalThis.caches) return; // not for pages that are sent in the clear
  try {
    await navigator.serviceWorker.register(worker, { scope: page });
    const kept = await caches.open(KEPT);
    const addresses = [...new Set([page, ...loaded()])].map((each) => new URL(each, location).href);
    await kept.addAll(addresses);
    for (const { url } of await kept.keys()) if (!addresses.includes(url)) await kept.delete(url);
    document.documentElement.dataset.kept = "";
  } catch {
    /* without a connection what was kept before stays */
  }
}

// The scripts, styles and pictures of the page.
function loaded() {
  return performance
    .getEntriesByType("resource")
    .filter(({ initiatorType }) => initiatorType !== "fetch")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(location.origin));
}
