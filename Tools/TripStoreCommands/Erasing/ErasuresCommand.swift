import ArgumentParser
import TripStore

struct ErasuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasures", abstract: "List what was erased lately, or take that back.",
        discussion: """
            Each begins with the position of the commit that states it. An erasure that is not final is taken back by the device that made \
            it, by an admin of higher rank, or by the author of what it hides.

            Examples:
              tripstore erasures
              tripstore erasures --take-back 121
            """)

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Take back the erasure that is stated at this position.")
    var takeBack: Position?

    func run() async throws {
        if let takeBack {
            return try await withStore(options) { store in
                for erasure in try Self.standing(at: takeBack, in: store) { try await store.takeBack(erasure) }
                try show(store.erasures().filter { $0.position == takeBack })
            }
        }
        try show(try await options.openWithoutViews().erasures().rows)
    }

    /// What can be taken back at a position.
    private static func standing(at position: Position, in store: TripStore) throws -> [ErasureStatus] {
        let all = try store.erasures().filter { $0.position == position }
        guard !all.isEmpty else {
            throw CommandError(
                "No erasure is stated at position \(position). 'tripstore erasures' lists those that there are.",
                code: "unknownPosition")
        }
        let standing = all.filter { if case .takenBack = $0.state { false } else { true } }
        guard !standing.isEmpty else {
            throw CommandError("The erasure at position \(position) was taken back before.", code: "noEffect")
        }
        return standing
    }

    private func show(_ erasures: [ErasureStatus]) throws {
        if options.json {
            for erasure in erasures { Console.current.out(ErasureText.json(erasure).text) }
            return
        }
        if erasures.isEmpty { Console.current.out("Nothing was erased.") }
        let width = erasures.map { "\($0.position)".count }.max() ?? 0
        for erasure in erasures {
            let position = "\(erasure.position)"
            let space = String(repeating: " ", count: width - position.count)
            Console.current.out("\(space)\(position)  \(ErasureText.words(erasure))".visible)
        }
    }
}
