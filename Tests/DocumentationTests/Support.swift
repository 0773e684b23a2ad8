import Foundation
import Synchronization
import TripStore

/// Takes down what a snippet shows, from whatever task.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Waits until there are that many.
    func wait(for count: Int) async {
        while all.count < count { await Task.yield() }
    }
}

/// A folder for one test.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-docs-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }
}

let noon = Moment(milliseconds: 1_809_259_200_000, zone: "Europe/Lisbon")
