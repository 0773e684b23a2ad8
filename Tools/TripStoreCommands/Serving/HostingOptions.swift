package import ArgumentParser
import Foundation
package import LogExchange
import Platform
import TripStore

/// What a hub allows its clients.
package struct HostingOptions: ParsableArguments {
    package init() {}

    @Option(
        name: .long,
        help: """
            Who may begin a journal in the hub: 'anyone', 'nobody', or a file that lists, one a line, journals that anyone may begin, and \
            replicas, or their public keys of 64 hexadecimal digits, that may begin any. Default: nobody.
            """)
    package var begin: String?

    @Option(name: .long, help: "The hub's name, for people.")
    package var name: String?

    @Option(name: .long, help: "The most journals. Default: 10,000.")
    package var journals: Int?

    @Option(name: .long, help: "The most journals that are open at a time. Default: 128.")
    package var openJournals: Int?

    @Option(name: .long, help: "The most replicas in a journal, besides those that an admin granted. Default: 10,000.")
    package var replicasPerJournal: Int?

    @Option(name: .long, help: "The most bytes that a replica may store in a journal in a day. Default: 64 GiB.")
    package var bytesPerDay: Int?

    @Option(name: .long, help: "The most bytes of attachments in a journal. Default: 64 GiB.")
    package var attachmentBytes: Int?

    /// The first option that is given; nil if none is.
    var given: String? {
        let options: [(String, Bool)] = [
            ("--begin", begin != nil), ("--name", name != nil), ("--journals", journals != nil),
            ("--open-journals", openJournals != nil), ("--replicas-per-journal", replicasPerJournal != nil),
            ("--bytes-per-day", bytesPerDay != nil), ("--attachment-bytes", attachmentBytes != nil),
        ]
        return options.first(where: \.1)?.0
    }

    package func validate() throws {
        let numbers = [
            ("--journals", journals), ("--open-journals", openJournals), ("--replicas-per-journal", replicasPerJournal),
            ("--bytes-per-day", bytesPerDay), ("--attachment-bytes", attachmentBytes),
        ]
        for case (let option, let number?) in numbers where number < 1 {
            throw ValidationError("\(option) \(number): 1 or more.")
        }
    }

    /// `leastFree` are the bytes of the disk that are left free.
    package func options(leastFree: Int) throws -> JournalFolder.Options {
        var options = JournalFolder.Options(beginners: try beginners(), name: name ?? "")
        options.leastFree = Int64(leastFree)
        if let journals { options.journals = journals }
        if let openJournals { options.openLogs = openJournals }
        if let replicasPerJournal { options.quotas.lines = replicasPerJournal }
        if let bytesPerDay { options.quotas.bytesADay = bytesPerDay }
        if let attachmentBytes { options.quotas.attachmentBytes = Int64(attachmentBytes) }
        return options
    }

    private func beginners() throws -> Beginners {
        switch begin {
        case nil, "nobody": return .nobody
        case "anyone": return .anyone
        case let path?:
            let file = URL(argument: path)
            let text: String
            do {
                text = try String(contentsOf: file, encoding: .utf8)
            } catch {
                throw CommandError(
                    "--begin is neither 'anyone' nor 'nobody', and the file \(file.path) cannot be read: \(error.systemText)"
                )
            }
            return try Self.beginners(listedIn: text, file)
        }
    }

    private static func beginners(listedIn text: String, _ file: URL) throws -> Beginners {
        var (journals, replicas, keys): (Set<JournalID>, Set<ReplicaID>, Set<[UInt8]>) = ([], [], [])
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let entry = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            if entry.isEmpty { continue }
            if let key = Digest(entry) {
                keys.insert(key.bytes)
            } else if entry.contains("-"), let journal = JournalID(entry) {
                journals.insert(journal)
            } else if let replica = ReplicaID(entry) {
                replicas.insert(replica)
            } else {
                throw CommandError(
                    "Line \(number + 1) of \(file.path), '\(entry)', is no journal, no replica and no public key. Journals are written "
                        + "with hyphens, replicas with 32 hexadecimal digits, keys with 64.")
            }
        }
        return .listed(journals: journals, replicas: replicas, publicKeys: keys)
    }
}
