#if Inspector
    import Foundation
    import StoreSupport
    import TestSupport
    import Testing

    extension InspectorInBrowserTests {
        @Test("A commit is undone after a preview, and done again; Esc writes nothing")
        func undoing() async throws {
            let page = try await InspectedPage.open(try await .inspected(), mayWrite: true)
            try await page.go("who")
            try await page.click("#main summary", showing: "Trams and hills")
            try await page.click("#main details[open] a", showing: "all of it")
            try await page.wait("#main h1", shows: "Commit 6")
            try await page.click("#main button", showing: "Undo this commit")
            try await page.wait("dialog[open]", shows: "1 change to put back")
            // Nothing happens by a mere Enter.
            #expect(try await page.text("document.activeElement.innerText") == "Cancel")
            try await page.type(WebDriver.Key.escape)
            try await page.wait("document.querySelector('dialog[open]') === null")
            #expect(try await page.tool.position() == 6)
            try await page.click("#main button", showing: "Undo this commit")
            try await page.click("dialog[open] button:enabled", showing: "Undo")
            try await page.wait("#main .outcome", shows: "Undone by commit 7")
            #expect(try await page.isTrue("document.activeElement.closest('.outcome') !== null"))
            let trip = try await page.tool.run("show", "Lisbon", "--json").object()["trip"] as? [String: Any]
            #expect(trip?["notes"] as? String == "Trams")
            try await page.wait("#main h1", shows: "undone by commit 7")
            try await page.click("#main .outcome button", showing: "Do it again")
            try await page.click("dialog[open] button:enabled", showing: "Do again")
            try await page.wait("#main .outcome", shows: "Done again by commit 8")
            let again = try await page.tool.run("show", "Lisbon", "--json").object()["trip"] as? [String: Any]
            #expect(again?["notes"] as? String == "Trams and hills")
            try await page.wait("!document.querySelector('#main h1').innerText.includes('undone')")
            try await page.go("who")
            try await page.wait("#main summary", shows: "done again by commit 8")
            try await page.end()
        }

        @Test(
            "A conflict shows both values and who wrote them; taking the superseded one puts it in force on both devices"
        )
        func conflict() async throws {
            let replicas = try await Replicas()
            let trip = try await replicas.trip(named: "Porto")
            _ = try await replicas.ana.value("edit", trip, "--notes", "by train", "--author", "ana")
            _ = try await replicas.ben.value("edit", trip, "--notes", "by boat", "--author", "ben")
            try await replicas.meet()
            let page = try await InspectedPage.open(replicas.ana, mayWrite: true)
            try await page.wait("#main [data-row] a", shows: "conflict")
            try await page.type("gc")
            try await page.wait("#main", shows: "1 conflict is open")
            let names = try await page.texts("#main .side bdi")
            #expect(Set(["by train", "by boat", "ana", "ben"]).isSubset(of: names), "\(names)")
            let superseded = try await page.text("document.querySelector('#main .side.superseded .value').innerText")
            try await page.click("#main .side.superseded button")
            try await page.wait("#main .outcome", shows: "Resolved")
            #expect(try await replicas.ana.trip(trip)["notes"] as? String == superseded)
            // At once, while the view may still be at work on the commit that resolved it.
            try await page.type("gn")
            try await page.wait(rows: 1)
            try await page.wait("document.querySelector('#main [data-row]').innerText.includes('conflict') === false")
            try await page.type("gc")
            try await page.wait("#main", shows: "No conflict is open")
            try await page.end()
            try await replicas.meet()
            #expect(try await replicas.ben.trip(trip)["notes"] as? String == superseded)
            try await replicas.expectEqual()
        }

        @Test("What was deleted is restored in place")
        func restoring() async throws {
            let tool = try await Tool.inspected()
            #expect(await tool.run("delete", "Porto").code == 0)
            let page = try await InspectedPage.open(tool, mayWrite: true)
            try await page.go("conflicts")
            try await page.click("#main .deleted a", showing: "Its history")
            try await page.wait("#main h1", shows: "Porto")
            try await page.wait("#main", shows: "Deleted by")
            try await page.wait("#main .story-row", shows: "created")
            try await page.go("conflicts")
            try await page.click("#main .deleted button", showing: "Restore")
            try await page.click("dialog[open] button:enabled", showing: "Restore")
            try await page.wait("#main .outcome", shows: "Restored Porto")
            #expect(await tool.run("show", "Porto").code == 0)
            try await page.end(refusals: [404])
        }

        @Test("Without --write nothing can be undone or resolved, and the page says that it reads")
        func reading() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.wait("#mode", shows: "read only")
            for view in ["commit/6", "conflicts", "who"] {
                try await page.go(view)
                let buttons = try await page.texts("#main button")
                #expect(
                    !buttons.contains { $0.hasPrefix("Undo") || $0.hasPrefix("Restore") || $0.hasPrefix("Keep") },
                    "\(buttons)")
            }
            try await page.browser.run(
                "window.answered = null; fetch('api/1/undo?commit=6', { method: 'POST' }).then((one) => { window.answered = one.status; })"
            )
            try await page.wait("window.answered === 403")
            #expect(try await page.tool.position() == 6)
            try await page.end(refusals: [403])
        }

        @Test(
            "The log is verified and the views are rebuilt, with their outcome on the page",
            arguments: ["verify", "replay"])
        func proof(work: String) async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.go("proof")
            let (button, verdict) =
                work == "verify"
                ? ("Verify the log", "Everything verifies")
                : ("Rebuild and compare", "Every view is what the log gives")
            try await page.click("#main button", showing: button)
            try await page.wait("#main .verdict.sound", shows: verdict)
            try await page.end()
        }

        @Test("A store that disappears is a message in place; once it is back, it is shown")
        func gone() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            try await page.wait(rows: 3)
            let away = page.tool.folder.path("away")
            try FileManager.default.moveItem(atPath: page.tool.path, toPath: away)
            try await page.go("who")
            try await page.wait("#main .fault", shows: "")
            #expect(try await page.isTrue("document.querySelector('#main .fault').innerText.length > 20"))
            try FileManager.default.moveItem(atPath: away, toPath: page.tool.path)
            try await page.go("now")
            try await page.wait(rows: 3)
            try await page.end(refusals: [404])
        }

        @Test("A wrong token and an old one show nothing of the store")
        func wrongToken() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            let address = "http://127.0.0.1:\(page.inspector.port)"
            for wrong in ["\(address)/none/open", page.inspector.address] {
                try await page.browser.open(wrong)
                let shown = try await page.text("document.documentElement.innerText + document.title")
                #expect(!shown.contains("Lisbon") && !shown.contains("store"), "\(shown)")
                #expect(try await page.isTrue("document.querySelector('main') === null"))
            }
            // The cookie is as good as it was.
            try await page.browser.open("\(address)\(page.inspector.root)/")
            try await page.wait(rows: 3)
            try await page.end(refusals: [403])
        }

        @Test("A server on another port, which may be another user's, gets no cookie of the inspector")
        func otherPort() async throws {
            let page = try await InspectedPage.open(try await .inspected())
            let name = "tripstore-inspect-\(page.inspector.port)"
            #expect(try await page.browser.cookies().contains(name))
            let other = try await RunningInspector(try await Tool.inspected())
            for path in ["/", "/api/1/trips", other.root + "/", other.opening] {
                try await page.browser.open("http://127.0.0.1:\(other.port)\(path)")
                #expect(try await page.browser.cookies().contains(name) == false, "\(path)")
            }
            try await page.browser.open("about:blank")
            await other.end()
            try await page.end(refusals: [403])
        }

        @Test("A page of another port, for which the browser sends the cookie along, reads and writes nothing")
        func otherSite() async throws {
            let page = try await InspectedPage.open(try await .inspected(), mayWrite: true)
            // A site of its own to the inspector, and the same to the cookie but for its path.
            let other = try await RunningInspector(try await Tool.inspected())
            try await page.browser.ignorePolicies(true)
            try await page.browser.open(other.address)
            try await page.wait(
                "location.pathname === '\(other.root)/' && location.port === '\(other.port)' && document.querySelector('#main h1')"
            )
            let target = "http://127.0.0.1:\(page.inspector.port)\(page.inspector.root)/api/1/undo?commit=6"
            try await page.browser.run(
                """
                window.answered = null;
                fetch('\(target)', { method: 'POST', mode: 'no-cors', credentials: 'include' })
                  .then((one) => { window.answered = one.type; }, () => { window.answered = 'refused'; });
                """)
            // Opaque, or kept from the page by what the answer says of other origins.
            try await page.wait("window.answered !== null")
            try await page.browser.run(
                """
                const form = document.createElement('form');
                Object.assign(form, { method: 'post', action: '\(target)' });
                document.body.append(form);
                form.submit();
                """)
            try await page.wait("location.port !== '\(other.port)'")
            #expect(try await page.tool.position() == 6)
            try await page.browser.ignorePolicies(false)
            await other.end()
            try await page.end(refusals: [403])
        }
    }
#endif
