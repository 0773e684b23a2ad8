import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStore
import TripStoreCommands

@Suite("The tail command", .timeLimit(.minutes(10)))
struct TailCommandTests {
    /// A tail that runs beside the test.
    private struct Running {
        let task: Task<Int32, Never>
        private var lines: AsyncStream<String>.Iterator

        init(
            _ tool: Tool, _ arguments: String..., hasReader: @escaping @Sendable () -> Bool = { true },
            ended: (@Sendable () async -> Void)? = nil
        ) {
            let (lines, continuation) = AsyncStream.makeStream(of: String.self)
            self.lines = lines.makeAsyncIterator()
            let console = Console(
                out: { continuation.yield($0) }, error: { continuation.yield($0) }, hasReader: hasReader, ended: ended)
            let path = tool.path
            task = Task {
                let code = await TripStoreCommand.run(["tail", "--store", path] + arguments, console: console)
                continuation.finish()
                return code
            }
        }

        /// The position of the next commit that is printed; nil at the end.
        mutating func next() async throws -> Int? {
            guard let line = await lines.next() else { return nil }
            return try Tool.Outcome.object(line)["position"] as? Int
        }

        /// Cancels it and returns its exit code.
        func cancelled() async -> Int32 {
            task.cancel()
            return await task.value
        }
    }

    @Test("A tail that waits says so on a terminal, once it has printed what there is, and nowhere else")
    func waiting() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        for isTerminal in [true, false] {
            let (lines, continuation) = AsyncStream.makeStream(of: String.self)
            let (interruptions, interruption) = AsyncStream.makeStream(of: Void.self)
            var console = Console(
                out: { _ in continuation.yield("a commit") }, error: { continuation.yield($0) },
                ended: { for await _ in interruptions { return } })
            if isTerminal { console.progress = { _ in } }
            let path = tool.path
            let task = Task { [console] in
                let code = await TripStoreCommand.run(["tail", "--after", "0", "--store", path], console: console)
                continuation.finish()
                return code
            }
            var iterator = lines.makeAsyncIterator()
            for _ in 0..<2 { #expect(await iterator.next() == "a commit") }
            if isTerminal {
                #expect(await iterator.next() == "Waiting for commits after position 2. Ctrl-C ends it.")
            }
            interruption.yield()
            #expect(await task.value == 0)
            #expect(await iterator.next() == nil)
        }
        let whole = await tool.run("tail", "--no-follow") { $0.progress = { _ in } }
        #expect(whole.out.count == 2 && whole.error.isEmpty)
        await tool.expectInvariants()
    }

    @Test("It prints what there is, then what another handle appends, and ends when it is cancelled")
    func following() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        // Within one process a writer must open before readers.
        let options = TripStore.Options(mapSize: 1 << 30)
        let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path), options: options)
        var tail = Running(tool, "--after", "0")
        #expect(try await tail.next() == 1)
        #expect(try await tail.next() == 2)
        _ = try await tool.value("add", "trip", "--name", "Porto")
        #expect(try await tail.next() == 3)
        try await store.create(Trip(name: "Faro"))
        #expect(try await tail.next() == 4)
        #expect(await tail.cancelled() == 0)
        #expect(try await tail.next() == nil)
        await store.close()
        await tool.expectInvariants()
    }

    @Test("It ends by itself when its console says so")
    func interruption() async throws {
        let tool = try await Tool.withStore()
        let tail = Running(tool, ended: {})
        #expect(await tail.task.value == 0)
        await tool.expectInvariants()
    }

    @Test("Without following it prints what there is, as 'audit log' does, and ends")
    func notFollowing() async throws {
        let tool = try await Tool.withStore()
        for name in ["Lisbon", "Porto", "Faro"] { _ = try await tool.value("add", "trip", "--name", name) }
        let all = await tool.run("tail", "--no-follow")
        #expect(all.code == 0)
        // It does not say whether there is more.
        let log = await tool.run("audit", "log", "--reverse", "--all", "--json").out
        #expect(all.out == log.map { $0.replacing(",\"next\":null", with: "") })
        #expect(await tool.run("tail", "--no-follow", "--after", "2").out == Array(all.out.dropFirst(2)))
        #expect(await tool.run("tail", "--no-follow", "--after", "4").out.isEmpty)
        await tool.expectInvariants()
    }

    @Test("A subscription begins at an end or after a position, goes on after what it printed, and status names it")
    func subscription() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        #expect(try await tool.run("status", "--json").object().lacks("subscriptions"))
        for (name, from, count) in [("mail", "end", 0), ("index", "start", 2), ("mirror", "1", 1)] {
            #expect(await tool.run("tail", "--subscription", name, "--from", from, "--no-follow").out.count == count)
        }
        _ = try await tool.value("add", "trip", "--name", "Porto")
        let again = await tool.run("tail", "--subscription", "mail", "--from", "start", "--no-follow")
        #expect(again.code == 2 && again.out.isEmpty && again.error.contains("exists already"), "\(again.error)")
        let printed = await tool.run("tail", "--subscription", "mail", "--no-follow")
        #expect(try printed.objects().map { $0["position"] as? Int } == [3])
        #expect(await tool.run("tail", "--subscription", "mail", "--no-follow").out.isEmpty)
        let subscriptions = try await tool.run("status", "--json").object()["subscriptions"] as? [[String: Any]]
        #expect(subscriptions?.map { $0["name"] as? String } == ["index", "mail", "mirror"])
        #expect(subscriptions?.map { $0["position"] as? Int } == [2, 3, 2])
        #expect(await tool.run("status").out.joined().contains("subscription  index   position 2"))
        await tool.expectInvariants()
    }

    @Test("A subscription that a restored backup does not know is refused until a command gives its beginning")
    func restored() async throws {
        let tool = try await Tool.withStore()
        let backup = tool.folder.path("backup")
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        #expect(await tool.run("backup", backup).code == 0)
        #expect(await tool.run("tail", "--subscription", "mirror", "--from", "start", "--no-follow").out.count == 2)
        try FileManager.default.removeItem(atPath: tool.path)
        try FileManager.default.copyItem(atPath: backup, toPath: tool.path)
        _ = try await tool.value("add", "trip", "--name", "After restoring")
        let end = try await tool.position()
        let refused = await tool.run("tail", "--subscription", "mirror", "--no-follow", "--json")
        #expect(refused.code == 2 && refused.out.isEmpty)
        for text in ["unknownSubscription", "ends at position \(end)", "--from start|end|POSITION"] {
            #expect(refused.error.contains(text), "\(refused.error)")
        }
        #expect(await tool.run("subscriptions").out == ["No subscriptions."])
        let told = await tool.run("tail", "--subscription", "mirror", "--from", "2", "--no-follow")
        #expect(try told.objects().map { $0["position"] as? Int } == Array(3...end))
        await tool.expectInvariants()
    }

    @Test("A subscription that runs is not run twice, and goes on where it was stopped")
    func runningSubscription() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        var tail = Running(tool, "--subscription", "mail", "--from", "start")
        #expect(try await tail.next() == 1)
        #expect(try await tail.next() == 2)
        let second = await tool.run("tail", "--subscription", "mail", "--no-follow")
        #expect(second.code == 2)
        #expect(second.error.contains("running already"))
        _ = try await tool.value("add", "trip", "--name", "Faro")
        #expect(try await tail.next() == 3)
        #expect(await tail.cancelled() == 0)
        _ = try await tool.value("add", "trip", "--name", "Porto")
        let rest = try await tool.run("tail", "--subscription", "mail", "--no-follow").objects()
        // The last printed commit may not have been acknowledged.
        #expect([[4], [3, 4]].contains(rest.compactMap { $0["position"] as? Int }))
        await tool.expectInvariants()
    }

    @Test("Output without a reader is not acknowledged, and ends the command")
    func goneReader() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let count = Mutex(0)
        var tail = Running(
            tool, "--subscription", "mail", "--from", "start",
            hasReader: {
                count.withLock {
                    $0 += 1
                    return $0 == 1
                }
            })
        #expect(await tail.task.value == 0)
        #expect(try await tail.next() == 1)
        #expect(try await tail.next() == 2)
        #expect(try await tail.next() == nil)
        let again = try await tool.run("tail", "--subscription", "mail", "--no-follow").objects()
        #expect(again.map { $0["position"] as? Int } == [2])
        await tool.expectInvariants()
    }
}
