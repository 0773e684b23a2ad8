import ArgumentParser
import TripStore

struct ErasuresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erasures", abstract: "List erasures; take one back, or confirm it.",
        discussion: """
            Each begins with the position of the commit that states it. An erasure that is not final is taken back by the device that made \
            it, by an admin of higher rank, or by the author of what it hides. What was hidden because it came late, under what was \
            erased, is listed after that and comes back with it, or alone. What a member erased of its own is removed elsewhere after 7 \
            days, or at once if an admin confirms it whom that member did not make one.

            Examples:
              tripstore erasures
              tripstore erasures --take-back 121
              tripstore erasures --confirm 121
            """)

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Take back the erasure that is stated at this position.")
    var takeBack: Position?

    @Option(name: .long, help: "Confirm the erasure that is stated at this position, so that it is removed at once.")
    var confirm: Position?

    @Flag(name: .long, help: "Confirm without being asked.")
    var yes = false

    func validate() throws {
        if takeBack != nil, confirm != nil {
            throw ValidationError("Take an erasure back or confirm it: --take-back and --confirm exclude each other.")
        }
    }

    func run() async throws {
        guard let position = takeBack ?? confirm else {
            return try show(try await options.openWithoutViews().erasures().rows)
        }
        try await withStore(options) { store in
            let standing = try Self.standing(at: position, in: store)
            let late = try store.erasures().filter { $0.lateAfter.contains(position) && $0.stands }.map(\.position)
            if confirm != nil {
                try await confirm(standing, in: store)
            } else {
                for erasure in standing { try await store.takeBack(erasure) }
            }
            try show(
                store.erasures().filter { $0.position == position || late.contains($0.position) && !$0.stands })
        }
        if confirm != nil { await options.removeErasedBytes() }
    }

    /// Confirms what can be of some erasures, after it was shown; throws why not if none can.
    private func confirm(_ erasures: [ErasureStatus], in store: TripStore) async throws {
        var (found, refusal) = ([] as [ErasureStatus], nil as (any Error)?)
        for erasure in erasures {
            do {
                try store.confirmable(erasure)
                found.append(erasure)
            } catch { refusal = error }
        }
        if let refusal, found.isEmpty { throw refusal }
        if !yes {
            try Console.current.confirm(
                "Confirm this?",
                found.map { ErasureText.words($0).visible } + [
                    "Confirmed, it is removed at once, here and on each device that learns of it, and not on that day."
                ], otherwise: "Nothing was confirmed", hint: "'tripstore erasures' lists it. Add --yes to confirm it.")
        }
        for erasure in found { try await store.confirm(erasure) }
    }

    /// What is not taken back of the erasures at a position.
    private static func standing(at position: Position, in store: TripStore) throws -> [ErasureStatus] {
        let all = try store.erasures().filter { $0.position == position }
        guard !all.isEmpty else {
            // The audit shows the erased commit, too.
            let stated = try store.erasures().filter { $0.positions.contains(position) }.map { "\($0.position)" }
            let hint =
                stated.isEmpty
                ? "'tripstore erasures' lists those that there are."
                : "What is erased of the commit there is stated at \(stated.joined(separator: ", "))."
            throw CommandError("No erasure is stated at position \(position). \(hint)", code: "unknownPosition")
        }
        let standing = all.filter(\.stands)
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
        let ordered = erasures.sorted { ($0.place, $0.position) < ($1.place, $1.position) }
        for erasure in ordered {
            let position = "\(erasure.position)"
            let space = String(repeating: " ", count: width - position.count)
            Console.current.out("\(space)\(position)  \(ErasureText.words(erasure))".visible)
        }
    }
}

extension ErasureStatus {
    fileprivate var stands: Bool { if case .takenBack = state { false } else { true } }

    /// The position at which it is listed: what came late stands after that for which it was erased.
    fileprivate var place: Position { lateAfter.first ?? position }
}
