import Foundation

/// The folder of a machine's records, which are not copied together with a store.
package enum MachineFolder {
    /// `$XDG_STATE_HOME/tripstore`, by default `~/.local/state/tripstore`; on Apple platforms a folder of Application
    /// Support, which is left out of backups.
    package static var path: String? {
        #if canImport(Darwin)
            guard
                var folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?
                    .appendingPathComponent("TripStore.replicas")
            else { return nil }
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? folder.setResourceValues(values)
            return folder.path
        #else
            let environment = ProcessInfo.processInfo.environment
            if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/tripstore" }
            guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
            return home + "/.local/state/tripstore"
        #endif
    }
}
