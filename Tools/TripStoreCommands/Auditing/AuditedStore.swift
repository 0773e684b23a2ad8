import ArgumentParser
import EventLog
import Events
import Foundation
import TripStore

/// What is verified: a store, or the journals of a database.
struct AuditedStore: ParsableArguments {
    @Option(
        name: .long, help: "The store's folder. Default: TRIPSTORE, or what 'tripstore config' says.",
        completion: .directory)
    var store: String?

    @Option(name: .long, help: DatabaseArgument.help)
    var database: DatabaseArgument?

    @Flag(name: .long, help: DatabaseArgument.insecureHelp)
    var insecureDatabase = false

    @Option(name: .long, help: "With --database, this journal alone. Default: all.")
    var journal: JournalArgument?

    @Flag(name: .long, help: "Print JSON: one object. Not with --database.")
    var json = false

    @Option(name: .long, help: ColorChoice.help)
    var colors: ColorChoice?

    func validate() throws {
        try database?.check(isInsecure: insecureDatabase)
        if store != nil && database != nil { throw ValidationError("--store or --database: one of them.") }
        if journal != nil && database == nil { throw ValidationError("--journal: only with --database.") }
        if json && database != nil { throw ValidationError("--json: not with --database.") }
        if database == nil { try storeOptions.validate() }
    }

    private var storeOptions: StoreOptions {
        var options = StoreOptions()
        options.store = store
        options.json = json
        return options
    }

    var folder: URL { get throws { try storeOptions.folder } }

    /// The erasures of a log that was verified, and the commits that lack erased bytes though no erasure of them stands;
    /// none of one that cannot be read.
    func erasures(_ report: VerificationReport) async -> (stated: [ErasureStatus], unstated: [CommitID]) {
        guard report.isIntact || report.erasedEvents + report.erasedCommits > 0,
            let store = try? await storeOptions.openWithoutViews()
        else { return ([], []) }
        let erasures = ((try? store.erasures().rows) ?? [], (try? store.unstatedErasures()) ?? [])
        await store.closeUnlessShared()
        return erasures
    }
}
