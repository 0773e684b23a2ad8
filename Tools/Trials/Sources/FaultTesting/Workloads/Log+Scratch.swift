public import EventLog
public import Events
public import Foundation
import LMDB

extension Log {
    /// A log in a folder of its own, with its key.
    ///
    /// Without waiting for the medium, unless it is what is measured. `mapSize` is in bytes of address space.
    public static func scratch(
        in folder: URL, _ name: String, of journal: JournalID? = nil, isDurable: Bool = false,
        mapSize: Int = 1 << 30
    ) throws -> Log {
        let place = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        var dependencies = Dependencies.system
        dependencies.machineFolder = nil
        return try Log.open(
            at: place.path + "/log", keyPath: place.path + "/replica.key",
            options: Log.Options(
                journal: journal, deviceName: name,
                environment: Environment.Options(
                    .creating, durability: isDurable ? .synced : .unsynced, mapSize: mapSize),
                dependencies: dependencies))
    }
}
