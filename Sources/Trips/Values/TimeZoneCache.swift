import Foundation
import Synchronization

/// The zones in use, by their IANA names: making one reads files of the platform.
enum TimeZoneCache {
    /// The names that this platform lists. It knows some more.
    static let names = KnownNames(TimeZone.knownTimeZoneIdentifiers.filter { zone($0) != nil })

    private static let zones = Mutex<[String: TimeZone]>([:])

    /// The zone of that name; nil if the platform does not know it.
    static func zone(_ identifier: String) -> TimeZone? {
        guard identifier.isVisibleASCII else { return nil }
        if let zone = zones.withLock({ $0[identifier] }) { return zone }
        guard !identifier.isEmpty, let zone = TimeZone(identifier: identifier) else { return nil }
        zones.withLock { zones in
            // Names come from other devices: a bound, though there are only some 600 real ones.
            if zones.count >= 2_000 { zones.removeAll() }
            zones[identifier] = zone
        }
        return zone
    }
}
