extension ReportPage {
    /// The page before its script fills it in. Nothing of the log is in here.
    static let body = #"""
        <a class="skip" href="#main">Skip to the log</a>
        <header class="masthead">
          <p class="eyebrow">Audit report</p>
          <h1 id="title"></h1>
          <p id="scope" class="scope"></p>
          <dl id="facts" class="facts"></dl>
          <nav aria-label="Views">
            <a id="to-log" href="#log">Log</a>
            <a id="to-trips" href="#trips">Trips</a>
          </nav>
        </header>
        <noscript><p class="notice">This page puts the log on view with a script of its own. Allow it to run.</p></noscript>
        <main id="main" tabindex="-1">
          <p id="empty" class="notice" hidden></p>
          <div id="log-view" hidden>
            <section id="overview" aria-labelledby="timeline-title">
              <h2 id="timeline-title">Days and replicas</h2>
              <p class="hint">A bar is a day on which a replica wrote, in UTC; its height is the square root of the number
                of events. Choose a bar to see that day alone; arrow keys move between bars.</p>
              <div id="timeline"></div>
              <p id="readout" class="readout" aria-live="polite"></p>
              <button type="button" id="earlier" class="quiet" hidden></button>
            </section>
            <section aria-labelledby="log-title">
              <h2 id="log-title">Events</h2>
              <form id="filters" role="search" aria-label="Filter the events">
                <label class="wide">Search
                  <input id="text" type="search" autocomplete="off" spellcheck="false"
                    placeholder="names, fields, values, authors, ids">
                </label>
                <label>Day <select id="day"></select></label>
                <label>Replica <select id="replica"></select></label>
                <label>Author <select id="author"></select></label>
                <label>Verb <select id="verb"></select></label>
                <label>Kind <select id="kind"></select></label>
                <label>Order
                  <select id="order">
                    <option value="newest">newest first</option>
                    <option value="oldest">oldest first</option>
                  </select>
                </label>
                <label class="check"><input id="conflicts" type="checkbox"> Only conflicts</label>
                <button type="reset" class="quiet">Clear</button>
              </form>
              <div id="commit" class="panel" hidden></div>
              <p id="count" class="count" role="status"></p>
              <ol id="log-list" class="commits"></ol>
              <button type="button" id="log-more" class="quiet more" hidden></button>
            </section>
          </div>
          <div id="trips-view" class="split" hidden>
            <section class="picker" aria-labelledby="picker-title">
              <h2 id="picker-title">Trips</h2>
              <label class="wide">Find
                <input id="find" type="search" autocomplete="off" spellcheck="false" placeholder="trip, item or id">
              </label>
              <p id="found" class="count" role="status"></p>
              <ul id="trip-list" class="trips"></ul>
            </section>
            <section id="story" class="story" aria-labelledby="story-title" tabindex="-1">
              <h2 id="story-title">No trip chosen</h2>
              <p id="story-note" class="hint">Choose a trip to read what happened to it and to its items, in order.</p>
              <label id="part-label" class="part" hidden>Show <select id="part"></select></label>
              <ol id="story-list" class="commits"></ol>
              <button type="button" id="story-more" class="quiet more" hidden></button>
            </section>
          </div>
        </main>
        <footer id="footer"></footer>
        """#
}
