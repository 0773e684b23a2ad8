import EventLog
import Events
import Foundation
import Platform

/// The folder of a store.
extension DiagnosisRun {
    /// Below this the disk counts as nearly full, whatever the store's size.
    private static let leastRoom: UInt64 = 64 << 20

    private static let ownNames: Set<String> = [
        "log", "views", "subscriptions", "attachments", "arriving", "replica.key", UnfinishedClone.fileName,
        "hub-certificate.pem", "hub-key.pem", "feeds.json",
    ]

    mutating func checkFiles(of folder: URL) {
        check("the files in the folder") { run in
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
                // Hidden files are the system's and those of tools that keep folders.
                guard !Self.ownNames.contains(name), !name.hasPrefix(".") else { continue }
                run.add(.strangeFile, "\(folder.path)/\(name) is in the store's folder.")
            }
            let incoming = "\(folder.path)/attachments/incoming"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: incoming)) ?? []
            if !names.isEmpty {
                run.add(
                    .leftover,
                    "\(names.count.counted("file")) in \(incoming) \(names.count.agreeing("is a part", "are parts")) of "
                        + "attachments that have not arrived.")
            }
            if let source = UnfinishedClone(in: folder).presentSource {
                run.add(
                    .unfinishedClone,
                    "The clone\(source.isEmpty ? "" : " from \(source)") was cut off, and the store may be incomplete.")
            }
        }
        check("the room on the disk") { run in
            let room = run.options.room(folder)
            // Views are rebuilt beside the old ones.
            let views = Self.size(of: folder.appendingPathComponent("views"))
            guard room < max(Self.leastRoom, views) else { return }
            run.add(
                .nearlyFullDisk,
                "The disk has \(room >> 20) MiB left; the views take \(views >> 20) MiB, and building them anew takes as much."
            )
        }
    }

    /// Bytes on the medium: files of maps have holes.
    private static func size(of folder: URL) -> UInt64 {
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return 0 }
        var size: UInt64 = 0
        for case let name as String in files {
            var status = stat()
            guard lstat("\(folder.path)/\(name)", &status) == 0 else { continue }
            size += UInt64(clamping: status.st_blocks) * 512
        }
        return size
    }

    mutating func checkLog(at folder: URL) async {
        do {
            // Lost records are a finding of their own.
            for finding in try await TripStore.verify(at: folder).findings where finding.code != Finding.lostRecordsCode
            {
                add(.damagedLog, "\(finding.code): \(finding)", replica: finding.replica)
            }
        } catch {
            fail("the log", error)
        }
    }
}
