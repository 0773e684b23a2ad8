import Events
import Foundation
import Testing

@testable import TripStore

extension TripStore {
    /// Whether a stored commit contains a text in its bytes, whatever counts or is shown.
    func logContains(_ text: String) throws -> Bool {
        try log.read { log in
            var isThere = false
            try log.asStored().forEachCommit(after: .start) { commit in
                isThere = Data(commit.view.bytes).range(of: Data(text.utf8)) != nil
                return !isThere
            }
            return isThere
        }
    }

    /// The files of the contents of attachments.
    func contentFiles() throws -> [ContentID] { try contentFolder.contents().map(\.content) }
}

extension ErasurePreview {
    /// The number of events that go.
    var count: Int { commits.reduce(0) { $0 + $1.events.count } }

    /// The names of the fields that go, in the order of the commits.
    var fields: [[String]] { commits.flatMap(\.events).map { $0.changes.map(\.field) } }
}
