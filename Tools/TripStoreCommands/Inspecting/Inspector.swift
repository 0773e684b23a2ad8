import ArgumentParser
import EventLog
import Foundation
import Synchronization
import TripFormats
import TripStore

/// Answers what the inspector's page, and scripts, ask of a store.
///
/// The interface is the tool's: a request names a command and its options, and the answer has the objects that the command prints with
/// `--json`. So there is one place where a thing gets its shape, and one parser of what may be asked.
final class Inspector: Sendable {
    private let store: TripStore
    private let folder: String
    private let place: StorePlace
    private let mayWrite: Bool
    /// In whose name it writes; nil for the configured one. An empty one is none, which no variable of the environment can say.
    private let author: String?
    private let environment: [String: String]
    private let door: InspectorDoor
    private let live: LiveCommits
    /// Where commands run, which read synchronously, and some for long.
    private let threads = [0, 1, 2, 3].map { ThreadExecutor(name: "tripstore.inspector.\($0)") }
    /// How many commands run on each.
    private let loads = Mutex([0, 0, 0, 0])
    /// Thread of the streams that follow the store: behind a long command, a commit would come late.
    private let following = ThreadExecutor(name: "tripstore.inspector.live")
    /// What runs with progress: each once at a time.
    private let running = Mutex<Set<String>>([])

    init(
        _ store: TripStore, folder: String, mayWrite: Bool, author: String? = nil, environment: [String: String],
        door: InspectorDoor
    ) {
        (self.store, self.folder, self.mayWrite, self.author) = (store, folder, mayWrite, author)
        (self.environment, self.door) = (environment, door)
        place = StorePlace(folder)
        live = LiveCommits(of: store, at: place)
    }

    func answer(_ request: WebRequest) async -> WebAnswer {
        await unguarded(request).adding(InspectorPage.headers)
    }

    private func unguarded(_ request: WebRequest) async -> WebAnswer {
        let path: String
        switch door.entry(request) {
        case .refused: return WebAnswer(status: 403)
        case .opened(let cookie):
            return WebAnswer(200, InspectorPage.type, InspectorPage.opened, [("set-cookie", cookie)])
        case .passed(let below): path = below
        }
        guard let segments = Self.segments(of: path) else {
            return fault(InspectorFault(400, "usage", "The path '\(path)' has an escape that is none."))
        }
        switch (request.method, segments.first) {
        case (_, "api"?): return await interface(request, Array(segments.dropFirst()))
        case ("GET", nil), ("HEAD", nil):
            let name = URL(fileURLWithPath: folder).lastPathComponent
            return WebAnswer(200, InspectorPage.type, InspectorPage.html(of: name, mayWrite: mayWrite))
        case ("GET", "inspect.css"?) where segments.count == 1:
            return WebAnswer(200, "text/css; charset=utf-8", PageText.inspectorStyle)
        case ("GET", "inspect.js"?) where segments.count == 1:
            return WebAnswer(200, "text/javascript; charset=utf-8", PageText.inspectorScript)
        default: return WebAnswer(status: 404)
        }
    }

    private static func segments(of path: String) -> [String]? {
        var found: [String] = []
        for segment in path.split(separator: "/") {
            guard let text = String(segment).removingPercentEncoding else { return nil }
            found.append(text)
        }
        return found
    }

    // MARK: The interface

    private func interface(_ request: WebRequest, _ path: [String]) async -> WebAnswer {
        guard path.first == "\(InspectorAnswer.version)" else {
            return fault(
                InspectorFault(
                    404, "unknownResource", "There is no version '\(path.first ?? "")' of the interface.",
                    hint: "It is \(InspectorAnswer.version)."))
        }
        guard let query = request.query else {
            return fault(InspectorFault(400, "usage", "The query '\(request.target)' has an escape that is none."))
        }
        let path = Array(path.dropFirst())
        do {
            switch (request.method, path.first) {
            case ("GET", "live"?) where path.count == 1: return try following(request, query)
            case ("GET", "progress"?) where path.count == 2: return try progress(path[1])
            default:
                return answer(try await run(request.method, path, query), writes: request.method == "POST")
            }
        } catch let refusal as InspectorFault {
            return fault(refusal)
        } catch {
            let report = ErrorReport(error)
            return fault(InspectorFault(500, report.code, report.message, hint: report.hint))
        }
    }

    private func fault(_ fault: InspectorFault) -> WebAnswer {
        let (status, text) = InspectorAnswer.text(fault)
        return WebAnswer(status, InspectorAnswer.type, text)
    }

    private func answer(_ run: CommandRun, writes: Bool) -> WebAnswer {
        let (status, text) = InspectorAnswer.text(
            run, position: (try? store.read { $0.position.rawValue }) ?? 0, writes: writes)
        return WebAnswer(status, InspectorAnswer.type, text)
    }

    private func run(
        _ method: String, _ path: [String], _ query: [(name: String, value: String?)]
    ) async throws -> CommandRun {
        guard let (resource, arguments) = InspectorResource.find(path) else {
            let names = InspectorResource.all.map { $0.words.joined(separator: "/") }.joined(separator: ", ")
            throw InspectorFault(
                404, "unknownResource", "There is no resource '\(path.joined(separator: "/"))'.",
                hint: "There are \(names).")
        }
        var line = try resource.commandLine(arguments, query, store: folder)
        if resource.writes, let author { line.insert("--author=\(author)", at: resource.words.count) }
        try checkPlace()
        guard method == (resource.writes ? "POST" : "GET") else {
            let name = resource.words.joined(separator: "/")
            throw InspectorFault(405, "usage", "'\(name)' is asked by \(resource.writes ? "POST" : "GET").")
        }
        if resource.writes && !mayWrite {
            throw InspectorFault(
                403, "readOnly", "The inspector was started for reading alone.",
                hint: "Start 'tripstore inspect' with --write.")
        }
        let free = loads.withLock { loads in
            let free = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[free] += 1
            return free
        }
        defer { loads.withLock { $0[free] -= 1 } }
        return await withTaskExecutorPreference(threads[free]) { [store, environment, line] in
            await CommandRun.run(line, on: store, environment: environment)
        }
    }

    private func checkPlace() throws(InspectorFault) {
        do { try place.check() } catch {
            let report = ErrorReport(error)
            throw InspectorFault(404, report.code, report.message, hint: report.hint)
        }
    }

    // MARK: Streams

    private func following(_ request: WebRequest, _ query: [(name: String, value: String?)]) throws -> WebAnswer {
        for (name, value) in query where value == nil || !["after", "trip"].contains(name) {
            throw InspectorFault(400, "usage", "'live' takes after=POSITION and trip=ID, and '\(name)' is neither.")
        }
        // A browser that connects again says what it saw last.
        let given = request.header("last-event-id") ?? query.last { $0.name == "after" }?.value
        let start = try given.map { text in
            guard let position = Position(argument: text) else {
                throw InspectorFault(400, "usage", "'after' is a position, and '\(text)' is none.")
            }
            return position
        }
        let trip = try query.last { $0.name == "trip" }?.value.map { text in
            guard let id = Trip.ID(text) else {
                throw InspectorFault(400, "usage", "'trip' is a trip's id, and '\(text)' is none.")
            }
            return id
        }
        let events = live.events(after: try start ?? store.read { $0.position }, trip: trip, on: following)
        return WebAnswer(status: 200, headers: EventStream.headers, body: .stream(events))
    }

    /// Runs a command of which it is shown how far it is.
    private func progress(_ name: String) throws -> WebAnswer {
        let lines = [
            "verify": ["audit", "verify", "--json", "--store=\(folder)"],
            "replay": ["replay", "--verify", "--json", "--store=\(folder)"],
        ]
        guard let line = lines[name] else {
            throw InspectorFault(
                404, "unknownResource", "There is no work '\(name)'.", hint: "There are verify and replay.")
        }
        guard running.withLock({ $0.insert(name).inserted }) else {
            throw InspectorFault(409, "busy", "This runs already.", hint: "Wait for its end.")
        }
        do { try checkPlace() } catch {
            running.withLock { _ = $0.remove(name) }
            throw error
        }
        let thread = ThreadExecutor(name: "tripstore.inspector.\(name)")
        let stream = AsyncStream<[UInt8]>(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let task = Task(executorPreference: thread) { [self] in
                let run = await CommandRun.run(line, on: store, environment: environment) { text in
                    guard !text.isEmpty else { return }
                    continuation.yield(EventStream.event("progress", JSON.object([("text", .string(text))]).text))
                }
                running.withLock { _ = $0.remove(name) }
                let position = (try? store.read { $0.position.rawValue }) ?? 0
                continuation.yield(EventStream.event("answer", InspectorAnswer.text(run, position: position).text))
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        return WebAnswer(status: 200, headers: EventStream.headers, body: .stream(stream))
    }
}
