// Looking at a game together: this page shows its steps to whoever has the link, or moves with the page that it follows.
// Both go on while one page of the table takes the place of another; what is shown to others also when it is loaded again.
const HEARD_EVERY_MS = 20_000;
const KEPT = "together";
const WORDS = {
  alone:
    "With a link that moves with you, others see each step as you show it, as long as this page is open.",
  shows: "Whoever opens this link sees each step as you show it, until you stop or leave.",
  follows: "This page moves with the steps of whoever sent you the link.",
  over: "Whoever showed you the steps has stopped, or left.",
  lost: "Nobody follows you any more: the server has not heard of this page for too long.",
  full: "Too many readers show their steps now. Try again later.",
};
const MARKS = { shows: "Others follow", follows: "You follow", over: "No longer followed" };

const state = { name: "alone", own: readKept(), stream: null, latest: null, page: null };
if (state.own) state.name = "shows";

export function bindTogether(root, dialog, page) {
  const part = dialog.querySelector("[data-together]");
  if (!part) return;
  const find = (name) => part.querySelector(`[data-together-${name}]`);
  const mark = root.querySelector("[data-together-mark]");
  const { together: address, ofDeal } = part.dataset;
  state.page = { ...page, address, ofDeal, draw };
  let waiting = 0;

  function draw() {
    const { name, own } = state;
    find("words").textContent = WORDS[name];
    find("start").hidden = name === "shows" || name === "follows";
    find("stop").hidden = !find("start").hidden;
    find("line").hidden = name !== "shows";
    find("link").value = own ? new URL(`${address}/${own.key}`, location.href) : "";
    mark.hidden = !(name in MARKS);
    mark.querySelector("span").textContent = MARKS[name] ?? "";
  }

  find("start").addEventListener("click", begin);
  find("stop").addEventListener("click", stop);
  mark.addEventListener("click", page.open);
  const { signal } = page;
  addEventListener("pagehide", leave, { signal });
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(tell, 100);
  };
  addEventListener("step", soon, { signal });
  const heard = setInterval(tell, HEARD_EVERY_MS);
  signal.addEventListener("abort", () => {
    clearInterval(heard);
    clearTimeout(waiting);
  });
  const key = new URLSearchParams(location.search).get("follow");
  if (key && state.name === "alone") follow(key);
  else if (state.stream) catchUp();
  tell();
  draw();
}

function become(name) {
  state.name = name;
  state.page.draw();
}

// This page shows its steps.

async function begin() {
  const answer = await post([], {});
  if (!answer?.ok) return become("full");
  keep(await answer.json());
  return become("shows");
}

async function tell() {
  if (state.name !== "shows") return;
  const answer = await post([state.own.key], { secret: state.own.secret });
  if (answer?.status !== 404) return; // without a connection the next step is told
  keep(null);
  become("lost");
}

function leave() {
  if (state.name === "shows") beacon("leaves");
}

function stop() {
  if (state.name === "shows") {
    beacon("ends");
    keep(null);
  }
  endStream();
  become("alone");
}

function beacon(what) {
  const { key, secret } = state.own;
  navigator.sendBeacon(
    `${state.page.address}/${key}`,
    new URLSearchParams({ secret, [what]: "yes" }),
  );
}

async function post(names, more) {
  const body = new URLSearchParams({ ...state.page.shown(), ...more });
  try {
    return await fetch([state.page.address, ...names].join("/"), { method: "POST", body });
  } catch {
    return null;
  }
}

function keep(own) {
  state.own = own;
  try {
    if (own) sessionStorage.setItem(KEPT, JSON.stringify(own));
    else sessionStorage.removeItem(KEPT);
  } catch {
    /* then it ends when this page is loaded again */
  }
}

function readKept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

// This page follows.

function follow(key) {
  state.stream = new EventSource(`${state.page.address}/${key}/steps`);
  state.stream.addEventListener("step", (event) => {
    state.latest = JSON.parse(event.data);
    catchUp();
  });
  const over = () => {
    endStream();
    become("over");
  };
  state.stream.addEventListener("end", over);
  state.stream.addEventListener("error", () => {
    if (state.stream?.readyState === EventSource.CLOSED) over();
  });
  state.name = "follows";
}

function endStream() {
  state.stream?.close();
  state.stream = state.latest = null;
  const address = new URL(location.href);
  address.searchParams.delete("follow");
  history.replaceState(null, "", address);
}

// Shows the latest step that was told: on this page, or on that of another deal or game.
function catchUp() {
  const { latest, page } = state;
  if (!latest) return;
  const shown = page.shown();
  if (shown.digest === latest.digest && shown.deal === latest.deal) return page.go(latest.step);
  const address = new URL(location.href);
  address.pathname = page.ofDeal.replace(shown.digest, latest.digest).replace(/\d+$/, latest.deal);
  for (const name of ["until", "tab", "best"]) address.searchParams.delete(name);
  address.searchParams.set("step", latest.step);
  page.room.visit(address.href, { record: "replace" });
}
