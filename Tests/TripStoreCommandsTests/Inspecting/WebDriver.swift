import Foundation
import StoreSupport
import Testing

/// A browser that a program drives, by the W3C WebDriver protocol (https://www.w3.org/TR/webdriver2/): chromedriver, and the Chromium that it
/// starts with a folder of its own.
final class WebDriver: Sendable {
    private let process: RunningTool
    private let port: Int
    private let session: String
    private let profile: TemporaryFolder

    /// An answer of the driver's that is an error, by the protocol's name for it.
    struct Fault: Error {
        let code: String
        let message: String
    }

    /// An element of the document that was shown when it was found.
    struct Element: Sendable {
        fileprivate static let key = "element-6066-11e4-a52e-4f735466cecf"
        fileprivate let id: String
    }

    /// Keys that print nothing.
    enum Key {
        static let enter = "\u{E007}"
        static let escape = "\u{E00C}"
        static let home = "\u{E011}"
        static let right = "\u{E014}"
        static let down = "\u{E015}"
    }

    /// The paths of the driver and of the browser; nil if one of them is missing.
    static let installed: (driver: URL, browser: String)? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { "\($0)/chromedriver" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let driver = found, let browser = Browser.installed else { return nil }
        return (URL(fileURLWithPath: driver), browser.path)
    }()

    /// Starts both.
    static func start() async throws -> WebDriver {
        let (driver, browser) = try #require(installed)
        let profile = TemporaryFolder()
        try FileManager.default.createDirectory(at: profile.url, withIntermediateDirectories: true)
        let process = try RunningTool(program: driver, ["--port=0"])
        let line = try await process.line { $0.contains("started successfully on port") }
        let port = try #require(line.firstMatch(of: /on port (\d+)/).flatMap { Int($0.output.1) })
        let options: [String: Any] = [
            "binary": browser,
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-extensions", "--disable-background-networking", "--user-data-dir=\(profile.url.path)",
            ],
        ]
        let wanted: [String: Any] = [
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
            "timeouts": ["script": 60_000, "pageLoad": 60_000],
        ]
        let made = try await send("POST", "/session", ["capabilities": ["alwaysMatch": wanted]], port: port)
        let session = try #require((made as? [String: Any])?["sessionId"] as? String)
        return WebDriver(process: process, port: port, session: session, profile: profile)
    }

    private init(process: RunningTool, port: Int, session: String, profile: TemporaryFolder) {
        (self.process, self.port, self.session, self.profile) = (process, port, session, profile)
    }

    /// Ends the browser, and then the driver: it would leave the browser behind.
    func end() async {
        _ = try? await Self.send("DELETE", "/session/\(session)", nil, port: port)
        // Kills it: a process that is started where other signals are ignored ignores them too.
        await process.end(SIGKILL)
    }

    // MARK: Commands of the protocol

    private static func send(_ method: String, _ path: String, _ body: [String: Any]?, port: Int) async throws -> Any? {
        let bytes = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let request = PlainRequest(
            method: method, target: path, headers: [("content-type", "application/json")], body: bytes)
        let answer = try await PlainHTTP.answer(to: request, port: port)
        let value = try answer.object()["value"]
        guard answer.status == 200 else {
            let fault = value as? [String: Any]
            throw Fault(
                code: fault?["error"] as? String ?? "\(answer.status)",
                message: fault?["message"] as? String ?? answer.text)
        }
        return value
    }

    private func command(_ path: String, _ body: [String: Any] = [:]) async throws -> Any? {
        try await Self.send("POST", "/session/\(session)/\(path)", body, port: port)
    }

    /// The names of all cookies that the browser sends for the page that is shown, also of those that are hidden from scripts.
    func cookies() async throws -> [String] {
        let found = try await Self.send("GET", "/session/\(session)/cookie", nil, port: port)
        return try #require(found as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    /// Loads a page.
    func open(_ address: String) async throws { _ = try await command("url", ["url": address]) }

    func reload() async throws { _ = try await command("refresh") }

    func goBack() async throws { _ = try await command("back") }

    /// The size of the window, in pixels.
    func resize(width: Int, height: Int = 900) async throws {
        _ = try await command("window/rect", ["width": width, "height": height])
    }

    /// Sets the preferences of a person that the page's style asks for.
    func prefer(dark: Bool, lessMotion: Bool = true) async throws {
        let features = [
            ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"],
            ["name": "prefers-reduced-motion", "value": lessMotion ? "reduce" : "no-preference"],
        ]
        try await control("Emulation.setEmulatedMedia", ["features": features])
    }

    /// Lets pages of this window do from now on what their own policies forbid, as a page without one may.
    func ignorePolicies(_ areIgnored: Bool) async throws {
        try await control("Page.setBypassCSP", ["enabled": areIgnored])
    }

    /// A command of Chromium's own protocol.
    private func control(_ name: String, _ parameters: [String: Any]) async throws {
        _ = try await command("goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    /// Runs the body of a function in the page, and returns what it returns.
    @discardableResult
    func run(_ script: String) async throws -> Any? {
        let value = try await command("execute/sync", ["script": script, "args": [Any]()])
        return value is NSNull ? nil : value
    }

    func click(_ element: Element) async throws { _ = try await command("element/\(element.id)/click") }

    /// Types text where the focus is.
    func type(_ text: String) async throws {
        let actions = text.flatMap { key in ["keyDown", "keyUp"].map { ["type": $0, "value": String(key)] } }
        let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
        _ = try await command("actions", ["actions": [keyboard]])
    }

    /// The picture of what is seen, as PNG.
    func screenshot() async throws -> Data {
        let value = try await Self.send("GET", "/session/\(session)/screenshot", nil, port: port)
        return try #require((value as? String).flatMap { Data(base64Encoded: $0) })
    }

    /// The complaints of the browser since the last call: violated policies, errors of scripts, what could not be loaded.
    func complaints() async throws -> [String] {
        let entries = try #require(try await command("se/log", ["type": "browser"]) as? [[String: Any]])
        return entries.map { "\($0["level"] ?? ""): \($0["message"] ?? "")" }
    }

    // MARK: Waiting

    /// How long a page may take until something holds: far longer than it does, for machines that do much else.
    private static let patience = Duration.seconds(60)

    /// Waits until an expression is true or an element, and returns it. Expressions that throw are not true yet.
    @discardableResult
    func wait(
        for expression: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Any {
        // The page looks by itself for half a second: asked for each time, the driver would be kept busier than the page.
        let script = """
            const done = arguments[arguments.length - 1], end = performance.now() + 500;
            (function look() {
              let value = null;
              try { value = (\(expression)); } catch { value = null; }
              if (value || performance.now() > end) done(value || null); else setTimeout(look, 10);
            })();
            """
        let deadline = ContinuousClock.now + Self.patience
        var failure: Fault?
        repeat {
            try Task.checkCancellation()
            do {
                let value = try await command("execute/async", ["script": script, "args": [Any]()])
                if let value, !(value is NSNull) { return value }
            } catch let fault as Fault {
                // A page that is left while it looks.
                failure = fault
            }
        } while ContinuousClock.now < deadline
        let shown = try? await run("return location.href + ' ' + document.body.innerText.slice(0, 2000)")
        Issue.record(
            "It never held: \(expression)\n\(shown as? String ?? "")\n\(failure.map { "\($0)" } ?? "")",
            sourceLocation: sourceLocation)
        throw Fault(code: "timeout", message: expression)
    }

    /// Waits for an element.
    func find(_ expression: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Element {
        let found = try await wait(for: expression, sourceLocation: sourceLocation) as? [String: Any]
        return Element(id: try #require(found?[Element.key] as? String, sourceLocation: sourceLocation))
    }

    /// Clicks an element once it is there and nothing lies over it; one that was drawn anew meanwhile is looked for again.
    func click(_ expression: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let deadline = ContinuousClock.now + Self.patience
        let passing: Set = ["stale element reference", "element click intercepted", "element not interactable"]
        while true {
            do {
                // In the middle of the window, where no bar at its edges lies over it.
                return try await click(
                    find(
                        "((one) => { one?.scrollIntoView({ block: 'center' }); return one; })(\(expression))",
                        sourceLocation: sourceLocation))
            } catch let fault as Fault where passing.contains(fault.code) && ContinuousClock.now < deadline {
                continue
            }
        }
    }
}
