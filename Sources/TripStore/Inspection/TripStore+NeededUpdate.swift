import EventLog
import Events

extension TripStore {
    /// A sentence for people on the commits that need a newer version, with the names of the devices that wrote them.
    package func words(on needed: NeededUpdate) throws -> String {
        try readLog { log in
            var names: [String] = []
            for replica in needed.replicas.prefix(Self.mostNames) {
                // A name may have any length: its author chose it.
                let name = try log.deviceName(of: replica).prefix(40)
                names.append(name.isEmpty ? String("\(replica)".prefix(8)) : "\"\(name)\"")
            }
            if needed.replicas.count > Self.mostNames { names.append("others") }
            let authors =
                names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "") + (names.last ?? "")
            let isOne = needed.commits == 1
            let version = needed.version.map { "TripStore \($0) or newer" } ?? "a newer version of TripStore"
            return "\(needed.commits) commit\(isOne ? "" : "s") by \(authors) need\(isOne ? "s" : "") \(version): what "
                + "\(isOne ? "it says" : "they say") is not shown."
        }
    }

    /// The most devices that a sentence names.
    private static let mostNames = 3
}
