// Makes everything that a page hears arrive late, by a random time of at most LONGEST_MS: answers to requests, and what
// sockets and workers say. What one of them says stays in order.
((LONGEST_MS) => {
  // A test may stop the page's clock, which must not stop what the page hears.
  const { fetch, setTimeout } = window;
  const pause = () => new Promise((done) => setTimeout(done, Math.random() * LONGEST_MS));

  window.fetch = async (...question) => {
    const answer = await fetch(...question);
    await pause();
    return answer;
  };

  /** @type {WeakMap<EventTarget, Promise<void>>} when the last message has been heard */
  const heard = new WeakMap();
  const late = (hear) => function (event) {
    const turn = (heard.get(this) ?? Promise.resolve()).then(pause);
    heard.set(this, turn);
    void turn.then(() => hear.call(this, event));
  };
  for (const { prototype } of [WebSocket, Worker]) {
    const { addEventListener } = prototype;
    prototype.addEventListener = function (type, hear, ...how) {
      addEventListener.call(this, type, type === "message" ? late(hear) : hear, ...how);
    };
    const { set, ...rest } = Object.getOwnPropertyDescriptor(prototype, "onmessage");
    Object.defineProperty(prototype, "onmessage", { ...rest, set(hear) { set.call(this, late(hear)); } });
  }
})
