import Foundation
import Testing
import TripStore

@Suite("The page on backups")
struct BackupSnippets {
    @Test("A backup, and how it is put back")
    func backup() async throws {
        let (place, copies) = (Folder(), Folder())
        let (storeFolder, backupFolder) = (place.url, copies.url)
        let notes = Notes()
        @Sendable func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        do {
            let store = try await TripStore.open(at: storeFolder)
            try await store.create(Trip(name: "Lisbon"))
            // begin BackingUp-backup
            let report = try await store.backup(to: backupFolder) { step in
                show("\(step.stage) \(step.done) of \(step.total)")
            }
            show("\(report.commits) commits in \(report.folder.path)")
            // end
            #expect(notes.all.last?.hasPrefix("2 commits in ") == true)
            await store.close()
        }
        try FileManager.default.removeItem(at: storeFolder)
        // begin BackingUp-restore
        try FileManager.default.copyItem(at: backupFolder, to: storeFolder)
        let restored = try await TripStore.open(at: storeFolder)
        if let change = restored.identityChange { show("It was \(change.previous) before.") }
        // end
        #expect(notes.all.last?.hasPrefix("It was ") == true)
        #expect(try restored.trips(.undated).rows.map(\.trip.name) == ["Lisbon"])
    }
}
