import Foundation
import TripStore

extension TripStoreCommand {
    /// Without a command: prints what is next in the store, or how to begin where there is none. Nothing is written, and no views are built.
    public func run() async throws {
        let path = try Configuration.current()[.store]
        let folder = path.map { URL(argument: $0) }
        do {
            guard let folder else { return Self.show(Self.beginning(folder)) }
            let store = try await StoreOptions.openWithoutViews(folder)
            StoreOptions.tellOfViews(store)
            let next = NextText(store: store, today: try AgendaDays.today.days().lowerBound)
            Self.show(try next.lines())
            await store.close()
        } catch let error as TripStoreError where error.code == .noStore {
            Self.show(Self.beginning(folder))
        }
    }

    private static func show(_ lines: [String]) {
        for line in lines { Console.current.out(line) }
    }

    /// How to begin, in three commands.
    private static func beginning(_ folder: URL?) -> [String] {
        let commands = ["tripstore init --name laptop", "tripstore add trip --name Lisbon"]
        let (head, all) =
            folder.map { ("There is no store at \($0.path) yet. To begin:", commands + ["tripstore trips"]) }
            ?? ("No store is chosen yet. To begin:", ["tripstore config store ~/trips"] + commands)
        return [head] + all.map { "  \($0)" } + ["'tripstore help' lists what else there is."]
    }
}
