#if Inspector
    import Foundation
    import Testing

    /// The inspector's page of a store in the browser that the tests of a suite share.
    struct InspectedPage: Sendable {
        let tool: Tool
        let inspector: RunningInspector
        let browser: WebDriver

        /// Starts the inspector, and opens its page by the address that it prints.
        static func open(_ tool: Tool, mayWrite: Bool = false) async throws -> InspectedPage {
            let browser = try #require(SharedBrowser.current)
            let inspector = try await mayWrite ? RunningInspector(tool, "--write") : RunningInspector(tool)
            try await browser.resize(width: 1_000)
            try await browser.prefer(dark: false)
            // Drops the messages that a test before this one left.
            try await browser.open("about:blank")
            _ = try await browser.complaints()
            try await browser.open(inspector.address)
            let page = InspectedPage(tool: tool, inspector: inspector, browser: browser)
            try await page.wait("location.pathname.endsWith('/') && document.querySelector('#main h1')")
            return page
        }

        /// Ends the inspector. The browser must have complained about nothing but answers with these statuses.
        func end(
            refusals: Set<Int> = [], sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let complaints = try await browser.complaints().filter { complaint in
                // A refusal of what another origin's page asked is kept from that page as well.
                if refusals.contains(403), complaint.contains("ERR_BLOCKED_BY_RESPONSE.NotSameOrigin") { return false }
                return !refusals.contains { complaint.contains("with a status of \($0) ") }
            }
            #expect(complaints.isEmpty, "\(complaints)", sourceLocation: sourceLocation)
            try await browser.open("about:blank")
            await inspector.end(sourceLocation: sourceLocation)
            await tool.expectInvariants(sourceLocation: sourceLocation)
        }

        // MARK: What the page shows

        func wait(_ expression: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            try await browser.wait(for: expression, sourceLocation: sourceLocation)
        }

        /// Waits for an element that shows a text.
        func wait(
            _ selector: String, shows text: String, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            try await wait(Self.element(selector, showing: text), sourceLocation: sourceLocation)
        }

        func wait(rows: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            try await wait(
                "document.querySelectorAll('#main [data-row]').length === \(rows)", sourceLocation: sourceLocation)
        }

        /// Clicks the first element that shows a text.
        func click(
            _ selector: String, showing text: String = "", sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            try await browser.click(Self.element(selector, showing: text), sourceLocation: sourceLocation)
        }

        /// Types where the focus is: text, or `WebDriver.Key`.
        func type(_ text: String) async throws { try await browser.type(text) }

        /// Goes to a view by the fragment of its address, and waits until it is drawn.
        func go(_ fragment: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            try await browser.run(
                "document.querySelector('#main').replaceChildren(); location.hash = \(Self.quoted(fragment))")
            try await wait(
                "document.querySelector('#main h1') && !document.querySelector('.busy')", sourceLocation: sourceLocation
            )
        }

        func text(_ expression: String) async throws -> String {
            try #require(try await browser.run("return String(\(expression))") as? String)
        }

        func texts(_ selector: String) async throws -> [String] {
            let script = "return [...document.querySelectorAll(\(Self.quoted(selector)))].map((one) => one.textContent)"
            return try #require(try await browser.run(script) as? [String])
        }

        func isTrue(_ expression: String) async throws -> Bool { try await text("Boolean(\(expression))") == "true" }

        /// The names in the rows of the list that is shown.
        func names() async throws -> [String] { try await texts("#main [data-row] a bdi") }

        /// An expression of the first element that is seen and shows a text.
        static func element(_ selector: String, showing text: String) -> String {
            "[...document.querySelectorAll(\(quoted(selector)))].find((one) => one.checkVisibility() && one.innerText.includes(\(quoted(text))))"
        }

        /// A text as a literal of the page's language.
        static func quoted(_ text: String) -> String {
            (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "''"
        }
    }

    extension Tool {
        static let hostileName =
            "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>\u{202E}tfel"

        /// A store with a few trips of two authors: an edit of one, and one whose text is hostile. Its newest position is 6.
        static func inspected() async throws -> Tool {
            let tool = try await Tool.withStore()
            for line in [
                [
                    "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08",
                    "--notes",
                    "Trams", "--author", "ana",
                ],
                [
                    "add", "activity", "--name", "Tram 28", "--trip", "Lisbon", "--start", "2027-05-02T10:00",
                    "--start-time-zone", "Europe/Lisbon", "--author", "ana",
                ],
                ["add", "trip", "--name", "Porto", "--start-date", "2027-06-01", "--author", "ben"],
                [
                    "add", "trip", "--name", hostileName, "--start-date", "2027-07-01", "--notes",
                    "<style>*{display:none}</style>",
                    "--author", "<b>\u{202E}eve",
                ],
                ["edit", "Lisbon", "--notes", "Trams and hills", "--author", "ben"],
            ] {
                let outcome = await tool.run(line)
                #expect(outcome.code == 0, "\(line): \(outcome.error)")
            }
            return tool
        }
    }
#endif
