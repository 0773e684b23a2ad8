extension ReportPage {
    /// Colours, type and the frame of the page. System fonts: nothing is fetched.
    static let style = #"""
        :root {
          color-scheme: light dark;
          --paper: #fcfcfb; --raised: #ffffff; --ink: #1d2126; --soft: #59626d; --line: #e2e4e7; --accent: #0a58a6;
          --created: #176a40; --deleted: #a9281f; --restored: #765000; --bar: #5c88ba; --chosen: #e7f0fa;
          --warn: #764700; --warn-paper: #fff3da; --warn-line: #e7c88d; --old: #6d3a36; --old-paper: #faeeec;
          --new-paper: #e9f5ee;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14171a; --raised: #1a1e22; --ink: #e7e9eb; --soft: #a6afb9; --line: #30363c; --accent: #86bbf3;
            --created: #76d29c; --deleted: #ff9a8f; --restored: #e4b860; --bar: #5b86b5; --chosen: #1d2f44;
            --warn: #f4cd84; --warn-paper: #33280f; --warn-line: #6a5320; --old: #e9b7b1; --old-paper: #352020;
            --new-paper: #18301f;
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { -webkit-text-size-adjust: 100%; }
        body {
          margin: 0 auto; max-width: 72rem; padding: 0 1.5rem 3rem; background: var(--paper); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
          font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
        }
        h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; font-weight: 640; letter-spacing: -0.015em; }
        h2 { margin: 0 0 0.3rem; font-size: 1.15rem; line-height: 1.3; font-weight: 640; }
        a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
        code { font: 0.87em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        main:focus, .story:focus { outline: none; }
        section { margin-top: 2.2rem; }
        .skip { position: absolute; left: -100rem; }
        .skip:focus { left: 1rem; top: 0.5rem; padding: 0.4rem 0.8rem; background: var(--raised); z-index: 2; }
        .masthead { padding-top: 2.2rem; }
        .eyebrow { margin: 0 0 0.2rem; color: var(--soft); font-size: 0.85rem; }
        .scope { margin: 0.4rem 0 0; color: var(--soft); }
        .scope:empty { display: none; }
        .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.8rem 1.2rem; }
        .facts { margin: 1.3rem 0 1.5rem; }
        .facts dt { color: var(--soft); font-size: 0.8rem; }
        .facts dd { margin: 0; }
        .facts code { font-size: 0.78em; }
        nav { display: flex; gap: 1.5rem; border-bottom: 1px solid var(--line); }
        nav a { padding: 0.5rem 0; color: var(--soft); text-decoration: none; border-bottom: 2px solid transparent; }
        nav a[aria-current="page"] { color: var(--ink); border-color: var(--accent); font-weight: 600; margin-bottom: -1px; }
        nav a:hover { color: var(--ink); }
        .hint, .count, .readout { margin: 0 0 0.8rem; color: var(--soft); font-size: 0.88rem; max-width: 46rem; }
        .readout { min-height: 1.4em; margin: 0.5rem 0 0; }
        .notice, .panel { padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 8px; }
        .notice, .panel { background: var(--raised); margin: 1rem 0; }
        .panel h3 { margin: 0 0 0.6rem; font-size: 1rem; }
        .panel .facts { margin: 0 0 0.8rem; }
        footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); }
        footer { font-size: 0.85rem; }
        form { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: 0.7rem 1rem; }
        form { align-items: end; margin: 0.8rem 0 1rem; }
        label { display: block; min-width: 0; color: var(--soft); font-size: 0.8rem; }
        .wide { grid-column: 1 / -1; }
        .check { display: flex; gap: 0.5rem; align-items: center; min-height: 2.3rem; color: var(--ink); }
        .check { font-size: 0.93rem; }
        .check input { width: 1.05rem; height: 1.05rem; margin: 0; accent-color: var(--accent); }
        input[type="search"], select {
          display: block; width: 100%; min-height: 2.3rem; margin-top: 0.15rem; padding: 0.3rem 0.6rem; font: inherit;
          font-size: 0.93rem; color: var(--ink); background: var(--raised); border: 1px solid #868e98;
          border-radius: 6px; text-overflow: ellipsis;
        }
        ::placeholder { color: var(--soft); opacity: 1; }
        button { font: inherit; color: inherit; cursor: pointer; }
        .quiet { min-height: 2.3rem; padding: 0.3rem 0.9rem; font-size: 0.93rem; color: var(--accent); }
        .quiet { background: var(--raised); border: 1px solid #868e98; border-radius: 6px; }
        .quiet:hover { background: var(--chosen); }
        .more { display: block; margin: 1.5rem auto 0; }
        @media (max-width: 40rem) {
          body { padding: 0 1rem 2rem; }
          h1 { font-size: 1.5rem; }
          .facts { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0.7rem 1rem; }
          form { grid-template-columns: 1fr 1fr; }
        }
        @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
        """#
}
