import ArgumentParser
package import Foundation
import Logging
import TripStore

/// The store of a command, and its output format.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long, help: "The store's folder. Default: TRIPSTORE, or what 'tripstore config' says.",
        completion: .directory)
    var store: String?

    @Flag(name: .long, help: "Print JSON: one object, or one a line for lists.")
    var json = false

    // The console is made by it before the command is parsed. Trips and travellers have a field `color`.
    @Option(name: .long, help: ColorChoice.help)
    var colors: ColorChoice?

    func validate() throws {
        // A broken configuration is no fault of the command line: the command itself fails with it.
        do { _ = try folder } catch is CommandError {}
    }

    var folder: URL {
        get throws {
            let path = try store ?? Configuration.current()[.store] ?? ""
            guard !path.isEmpty else {
                throw ValidationError(
                    "Name the store's folder with --store DIR, in the environment variable TRIPSTORE, or with 'tripstore config "
                        + "store DIR'.")
            }
            return URL(argument: path)
        }
    }

    /// How the tool opens stores.
    static func options(_ work: LongWork = buildingViews()) -> TripStore.Options {
        var options = TripStore.Options(progress: progress(of: work))
        // People see failures as errors; logs are for apps.
        options.logger = Logger(label: "tripstore", factory: { _ in SwiftLogNoOpLogHandler() })
        return options
    }

    /// Work that builds views.
    static func buildingViews() -> LongWork {
        LongWork(standing: "The log stands as it is; its views are not finished, and the next command builds them.")
    }

    /// Shows the progress of a build of views.
    static func progress(of work: LongWork) -> @Sendable (BuildProgress) -> Void {
        { step in
            let noun =
                switch step.stage {
                case .reading: "commit"
                case .folding: "event"
                case .loading: "row"
                case .indexing: "entity"
                }
            work.report("\(step.stage)", step.done, of: step.total, .things(noun))
        }
    }

    /// Creates a store. The folder must hold none.
    func create(journal: JournalID?, name: String) async throws -> TripStore {
        let work = Self.buildingViews()
        defer { work.end() }
        var options = Self.options(work)
        options.journal = journal
        options.deviceName = name
        return try await TripStore.open(at: folder, options: options)
    }

    /// Opens the existing store for writing.
    func openForWriting(waitsForViews: Bool = true) async throws -> TripStore {
        if let shared = SharedStore.current { return shared.described }
        let folder = try folder
        guard TripStore.exists(at: folder) else {
            try TripStore.checkAccessible(folder)
            try TripStore.checkNotLost(at: folder)
            throw Self.noStore(folder)
        }
        let work = Self.buildingViews()
        defer { work.end() }
        var options = Self.options(work)
        options.waitsForViews = waitsForViews
        let store = try await TripStore.open(at: folder, options: options)
        if let warning = IdentityText.warning(of: store) { Console.current.warn(warning) }
        Self.tellOfViews(store)
        // Without views that can be read there is nothing to show either.
        try? store.useDescriptions()
        return store
    }

    /// Prints why existing views were not served, for their earlier results may have been wrong, and a medium may be failing; and that they
    /// lack what commits of a newer version say.
    static func tellOfViews(_ store: TripStore) {
        for (group, reason) in store.rebuilt.sorted(by: { $0.key < $1.key }) {
            Console.current.warn("The views '\(group)' were built anew from the log: \(reason).".visible)
        }
        // Views that cannot be read show nothing that could be incomplete.
        guard let needed = try? store.read({ try $0.neededUpdate }), let words = try? store.words(on: needed) else {
            return
        }
        Console.current.warn("\(words) Update this program.".visible)
    }

    /// Opens the store for reading, with views that show all that it has. Only these are written.
    func openForReading() async throws -> TripStore {
        if let shared = SharedStore.current { return shared.described }
        return try await Self.openForReading(folder)
    }

    static func openForReading(_ folder: URL) async throws -> TripStore {
        let work = buildingViews()
        defer { work.end() }
        var options = options(work)
        options.access = .readOnlyBuildingViews
        let store = try await openForReading(folder, options)
        tellOfViews(store)
        try? store.useDescriptions()
        return store
    }

    /// Opens the store for reading its log, whatever the state of its views. Only the recovery of the log is written.
    func openWithoutViews() async throws -> TripStore {
        if let shared = SharedStore.current { return shared.described }
        return try await Self.openWithoutViews(folder)
    }

    static func openWithoutViews(_ folder: URL) async throws -> TripStore {
        var options = options()
        options.access = .readOnly
        options.waitsForViews = false
        return try await openForReading(folder, options)
    }

    private static func openForReading(_ folder: URL, _ options: TripStore.Options) async throws -> TripStore {
        do { return try await TripStore.open(at: folder, options: options) } catch let error as TripStoreError
            where error.code == .noStore
        {
            throw noStore(folder)
        }
    }

    static func noStore(_ folder: URL) -> TripStoreError {
        TripStoreError(
            .noStore,
            TripStore.exists(at: folder)
                ? "There is no trip store at \(folder.path) yet: its creation was cut off, and nothing was stored. 'tripstore "
                    + "init' or the next write begins it."
                : "There is no trip store at \(folder.path). Check the path, or make one with 'tripstore init'.")
    }
}

extension URL {
    /// What a path on the command line leads to.
    package init(argument: String) { self.init(fileURLWithPath: (argument as NSString).expandingTildeInPath) }
}

/// The author of a command's commits.
struct AuthorOption: ParsableArguments {
    @Option(
        name: .customLong("author"),
        help: "In whose name it is written. Default: TRIPSTORE_AUTHOR, or what 'tripstore config' says.")
    var given: String?

    /// Whom the option names, or the configuration, which was read when the store was found.
    var author: String { given ?? (try? Configuration.current()[.author]) ?? "" }

    /// The author; nil if nothing names one: an undo of the last work then takes back nothing of another device. An empty option names the
    /// commits without an author, of all devices.
    var authorship: Authorship { Authorship(author: given ?? (author.isEmpty ? nil : author)) }
}

/// Runs `body` on a store opened for writing, and always closes it, unless it is one that stays open.
func withStore<T>(
    _ options: StoreOptions, waitsForViews: Bool = true, _ body: (TripStore) async throws -> T
) async throws -> T {
    let store = try await options.openForWriting(waitsForViews: waitsForViews)
    do {
        let result = try await body(store)
        await store.closeUnlessShared()
        return result
    } catch {
        await store.closeUnlessShared()
        throw error
    }
}
