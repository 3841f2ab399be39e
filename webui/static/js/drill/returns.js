// What a reader missed in a drill comes back after days: kept in this browser under the player's name, sent to nobody.
import { dayIn, KeptByKey } from "./device.js";

const DAYS_APART = [1, 3, 7, 21];
const MOST_WAITING = 200;

export class DrillReturns {
  constructor(player) {
    this.kept = new KeptByKey("drill-returns", player);
  }

  // By position: how often it was found again, the day it comes back, and its address.
  get waiting() {
    return this.kept.value ?? {};
  }

  set waiting(waiting) {
    const soonest = inOrder(waiting).slice(0, MOST_WAITING);
    this.kept.value = soonest.length ? Object.fromEntries(soonest) : undefined;
  }

  // The positions that have come back, those that waited longest first.
  due(without) {
    return inOrder(this.waiting)
      .filter(([position, { day }]) => position !== without && day <= dayIn(0))
      .map(([position, { address }]) => ({ position, address }));
  }

  // A position that was missed begins anew; one that is found on its day waits longer, and after the last time no more.
  note(position, address, found) {
    const known = this.waiting[position];
    if (!found) this.put(position, 0, address);
    else if (known && known.day <= dayIn(0)) this.put(position, known.times + 1, address);
  }

  put(position, times, address) {
    if (times === DAYS_APART.length) return this.drop(position);
    this.waiting = {
      ...this.waiting,
      [position]: { times, day: dayIn(DAYS_APART[times]), address },
    };
  }

  drop(position) {
    const { [position]: _, ...others } = this.waiting;
    this.waiting = others;
  }

  forget() {
    this.waiting = {};
  }
}

function inOrder(waiting) {
  return Object.entries(waiting).sort(([, one], [, other]) => one.day.localeCompare(other.day));
}
