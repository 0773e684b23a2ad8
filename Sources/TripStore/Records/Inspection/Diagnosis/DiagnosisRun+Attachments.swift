import Events
import Foundation
import LogExchange
import Trips

/// Attachments and their bytes.
extension DiagnosisRun {
    /// How long bytes may be here before a commit names them: they are stored first.
    private static let namingTime = 86_400.0

    mutating func checkAttachments(of store: TripStore) async {
        let files: [AttachedFile]
        do { files = try store.read { try $0.entities(AttachedFile.self).rows } } catch {
            return fail("the attachments", error)
        }
        var checked: Set<ContentID> = []
        for file in files where file.discardedAt == nil {
            guard let content = file.content else { continue }
            do {
                guard try store.contentFolder.holds(content) else {
                    add(
                        .missingContent,
                        "The bytes of the attachment '\(file.name)', \(content.size.counted("byte")), are not here.",
                        [file.reference])
                    continue
                }
                guard options.verifiesBytes, checked.insert(content).inserted else { continue }
                let isIntact = try await store.contentFolder.worker.run { [folder = store.contentFolder] in
                    try folder.isIntact(content)
                }
                guard !isIntact else { continue }
                add(
                    .damagedContent, "The bytes of the attachment '\(file.name)' are not those that were attached.",
                    [file.reference])
            } catch {
                fail("the attachment '\(file.name)'", error)
            }
        }
        check("the folder of attachments") { run in
            let limit = run.options.now().addingTimeInterval(-Self.namingTime)
            let here = try store.contentFolder.contents().filter { $0.added < limit }.map(\.content)
            guard !here.isEmpty else { return }
            let named = try NamedAttachments.everNamed(in: store.log)
            let orphaned = here.filter { !named.contains($0) }
            guard !orphaned.isEmpty else { return }
            let size = orphaned.reduce(Int64(0)) { $0 &+ $1.size }
            run.add(
                .orphanedContent,
                "\(orphaned.count.counted("file")) of \(size.counted("byte")) in \(store.contentFolder.path) "
                    + "\(orphaned.count.agreeing("is", "are")) named by no commit.")
        }
    }
}
