import Foundation
import Synchronization

/// The zones in use, by their IANA names: making one reads files of the platform.
enum TimeZoneCache {
    /// The names that this platform lists: it accepts each, and some more.
    private static let listed = KnownNames(TimeZone.knownTimeZoneIdentifiers)

    /// Whether the platform knows a zone of that name: without making text, if it lists the name.
    static func isKnown(_ identifier: UnsafeRawBufferPointer) -> Bool {
        if listed.contains(identifier) { return true }
        return identifier.isASCII && zone(String(decoding: identifier, as: UTF8.self)) != nil
    }

    private static let zones = Mutex<[String: TimeZone]>([:])

    /// The zone of that name; nil if the platform does not know it.
    static func zone(_ identifier: String) -> TimeZone? {
        guard identifier.isVisibleASCII else { return nil }
        if let zone = zones.withLock({ $0[identifier] }) { return zone }
        guard !identifier.isEmpty, let zone = TimeZone(identifier: identifier) else { return nil }
        zones.withLock { zones in
            // Names come from other devices, so the cache is bounded, though there are only some 600 real ones.
            if zones.count >= 2_000 { zones.removeAll() }
            zones[identifier] = zone
        }
        return zone
    }
}
