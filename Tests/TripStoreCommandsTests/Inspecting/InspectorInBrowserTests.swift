#if Inspector
    import Foundation
    import TestSupport
    import Testing

    /// The page, with real clicks and keys. Chromium and its driver are not part of the project: without them these tests are skipped.
    @Suite(
        "The inspector in a browser",
        .enabled(if: WebDriver.installed != nil, "There is no Chromium with its driver here."),
        .serialized, .timeLimit(.minutes(5)), .sharedBrowser)
    struct InspectorInBrowserTests {
        @Test(
            "Trips are listed by date, words and conditions narrow the list, and a wrong question is marked at its place"
        )
        func list() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.wait(rows: 3)
            #expect(try await page.names() == ["Lisbon", "Porto", Tool.hostileName])
            try await page.click("#main input[type=search]")
            try await page.type("hills")
            try await page.wait(rows: 1)
            #expect(try await page.names() == ["Lisbon"])
            // The address has the search.
            try await page.browser.reload()
            try await page.wait(rows: 1)
            #expect(try await page.text("document.querySelector('#main input[type=search]').value") == "hills")

            try await page.go("now")
            try await page.wait(rows: 3)
            try await page.click("#main input[name=where]")
            try await page.type("nam = 3")
            try await page.wait("#main [role=alert]", shows: "'nam'")
            try await page.wait("#main [role=alert] mark", shows: "n")
            #expect(try await page.names().count == 3)
            #expect(try await page.text("document.activeElement.name") == "where")

            try await page.go("now?where=name%20%3D%20'Porto'")
            try await page.wait(rows: 1)
            #expect(try await page.names() == ["Porto"])
            try await page.end(refusals: [400])
        }

        @Test("A trip's page has its days and items, and a value opens who wrote it, and what was there before")
        func trip() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.click("#main [data-row] a", showing: "Lisbon")
            try await page.wait("#main h1", shows: "Lisbon")
            try await page.wait("#main [data-day='2027-05-02']", shows: "Tram 28")
            #expect(try await page.isTrue("document.querySelectorAll('#main [data-day]').length === 8"))
            let notes = "#main details:has([title=notes])"
            try await page.click("\(notes) > summary")
            try await page.wait("\(notes)[open] del", shows: "Trams")
            let history = try await page.text("document.querySelector(\"\(notes)\").innerText")
            for words in ["Trams and hills", "ben", "ana", "commit 6", "commit 2"] {
                #expect(history.contains(words), "\(history)")
            }
            // The link to who did it leads to the commit, and back.
            try await page.click("\(notes) a", showing: "commit 6")
            try await page.wait("#main h1", shows: "Commit 6")
            try await page.browser.goBack()
            try await page.wait("#main h1", shows: "Lisbon")
            try await page.end()
        }

        @Test("The slider shows every view as it was, marks what differs from now, and leads back")
        func past() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.wait("document.getElementById('state').innerText.includes('live')")
            try await page.type("gt")
            try await page.wait("location.hash === '#then'")
            try await page.click("#past input[type=range]")
            try await page.type(WebDriver.Key.home + WebDriver.Key.right)
            try await page.wait("location.hash === '#then?as-of=2'")
            try await page.wait("#main [data-row]", shows: "Porto")
            try await page.wait("#main", shows: "changed since")
            try await page.type("gn")
            try await page.wait("location.hash === '#now?as-of=2'")
            try await page.wait(rows: 1)
            try await page.wait("#main [data-row]", shows: "changed since")
            try await page.click("#main [data-row] a", showing: "Lisbon")
            try await page.wait("#main details:has([title=notes])", shows: "Trams")
            try await page.wait("#main details:has([title=notes]) ins", shows: "Trams and hills")
            try await page.click("#past button", showing: "Back to now")
            try await page.wait(
                "!location.hash.includes('as-of') && !document.getElementById('past').checkVisibility()")
            try await page.browser.goBack()
            try await page.wait("location.hash.includes('as-of=2')")
            try await page.wait("#past", shows: "position 2")
            try await page.end()
        }

        @Test("A moment that is none is a message in place")
        func wrongMoment() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.go("now?as-of=yesteryear")
            try await page.wait("[role=alert]", shows: "yesteryear")
            try await page.click("#past button", showing: "Back to now")
            try await page.wait(rows: 3)
            try await page.end(refusals: [400, 404, 409])
        }

        @Test(
            "Commits of another process appear by themselves, with the query that ran and why; the focus stays where it is"
        )
        func live() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.wait("document.getElementById('state').innerText.includes('live')")
            try await page.wait(rows: 3)
            try await page.type("lj")
            try await page.wait("document.activeElement.closest('[data-row]')?.innerText.includes('Lisbon')")
            let added = try page.tool.shell("\"$T\" add trip --name Faro --start-date 2027-05-15 --author eva")
            #expect(added.code == 0, "\(added.complaint)")
            try await page.wait(rows: 4)
            #expect(try await page.names() == ["Lisbon", "Faro", "Porto", Tool.hostileName])
            #expect(try await page.isTrue("document.activeElement.closest('[data-row]').innerText.includes('Lisbon')"))
            try await page.wait("#live-list li", shows: "Faro")
            try await page.wait("#live-list li", shows: "trips ran: trip Faro")
            // Screen readers are told.
            try await page.wait("document.getElementById('said').textContent.includes('eva')")
            let edited = try page.tool.shell("\"$T\" delete Faro")
            #expect(edited.code == 0, "\(edited.complaint)")
            try await page.wait(rows: 3)
            try await page.end()
        }

        @Test("Keys alone lead through lists, to the search, to each view and to the help")
        func keys() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.wait(rows: 3)
            func focus(isIn name: String) async throws {
                try await page.wait("document.activeElement.closest('[data-row]')?.innerText.includes('\(name)')")
            }
            for (key, name) in [("j", "Lisbon"), ("j", "Porto"), ("k", "Lisbon"), (WebDriver.Key.down, "Porto")] {
                try await page.type(key)
                try await focus(isIn: name)
            }
            try await page.type(WebDriver.Key.enter)
            try await page.wait("#main h1", shows: "Porto")
            try await page.browser.goBack()
            // A trip's page has rows, too.
            try await page.wait("document.querySelector('#main input[type=search]')")
            try await page.wait(rows: 3)
            try await page.type("/")
            try await page.wait("document.activeElement.type === 'search'")
            // Within a field letters are text.
            try await page.type("j?gw")
            #expect(try await page.text("document.activeElement.value") == "j?gw")
            try await page.type(WebDriver.Key.escape)
            try await page.wait("document.activeElement.type !== 'search'")
            for (key, view) in [
                ("w", "who"), ("c", "conflicts"), ("d", "devices"), ("p", "proof"), ("t", "then"), ("n", "now"),
            ] {
                try await page.type("g" + key)
                try await page.wait("location.hash.startsWith('#\(view)')")
                try await page.wait("document.querySelector('#views [aria-current]')?.hash.startsWith('#\(view)')")
            }
            try await page.type("?")
            try await page.wait("document.getElementById('help').open")
            #expect(try await page.texts("#help kbd").contains("j"))
            try await page.type(WebDriver.Key.escape)
            try await page.wait("!document.getElementById('help').open")
            try await page.end()
        }

        @Test("Names full of markup and marks of direction are text in every view")
        func hostile() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            let trip = try #require(
                try await page.tool.run("trips", "--json").objects().last?["id"] as? String)
            for view in ["now", "trip/\(trip)", "who", "commit/5", "then?as-of=1", "now?as-of=5", "who?author=%3Cb%3E"]
            {
                try await page.go(view)
                if view != "who?author=%3Cb%3E" { try await page.wait("#main", shows: "</script>") }
                #expect(
                    try await page.isTrue(
                        "document.querySelector('main :is(img, script, style, b), body > :is(img, b)') === null"))
                let texts = try await page.texts("#main bdi")
                #expect(view.hasPrefix("who?") || texts.contains { $0.contains(Tool.hostileName) }, "\(view): \(texts)")
                #expect(
                    try await page.isTrue(
                        "[...document.querySelectorAll('#main bdi')].every((one) => getComputedStyle(one).unicodeBidi === 'isolate')"
                    ))
                #expect(try await page.text("document.title") != "broken")
            }
            try await page.end()
        }

        @Test("Nothing is wider than the window on a phone or a wide screen, in light and dark, in any view")
        func sizes() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            let trip = try #require(try await page.tool.run("trips", "--json").objects().first?["id"] as? String)
            var backgrounds: Set<String> = []
            for isDark in [false, true] {
                try await page.browser.prefer(dark: isDark)
                for width in [360, 1_600] {
                    try await page.browser.resize(width: width)
                    for view in [
                        "trip/\(trip)", "who", "commit/5", "conflicts", "devices", "proof", "then?as-of=3", "now",
                    ] {
                        try await page.go(view)
                        let sizes = try await page.text(
                            "[innerWidth, document.documentElement.scrollWidth, document.documentElement.clientWidth]"
                        )
                        .split(separator: ",").compactMap { Int($0) }
                        #expect(
                            sizes.count == 3 && sizes[0] == width && sizes[1] <= sizes[2], "\(view), \(width): \(sizes)"
                        )
                        let background = try await page.text("getComputedStyle(document.body).backgroundColor")
                        backgrounds.insert("\(isDark) \(background)")
                    }
                }
            }
            // One for light and one for dark, which differ.
            #expect(
                Set(backgrounds.map { $0.split(separator: " ", maxSplits: 1)[1] }).count == 2 && backgrounds.count == 2)
            #expect(try await page.browser.screenshot().starts(with: [0x89, 0x50, 0x4E, 0x47]))
            try await page.end()
        }
    }
#endif
