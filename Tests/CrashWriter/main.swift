// Writes trips into the store whose folder is its argument, from several tasks, and prints the id of each once it is
// acknowledged, until it is killed.
import Foundation
import TripStore

guard let path = CommandLine.arguments.dropFirst().first else { exit(64) }
let store = try await TripStore.open(at: URL(fileURLWithPath: path))
try await withThrowingTaskGroup(of: Void.self) { group in
    for writer in 0..<4 {
        group.addTask {
            var number = 0
            while true {
                number += 1
                let trip = Trip(name: "Trip \(writer).\(number)", days: Day(2027, 1, 1)...Day(2027, 1, 2))
                let activity = Activity(name: "Activity", in: trip.id)
                try await store.append([.created(trip), .created(activity)])
                FileHandle.standardOutput.write(Data("\(trip.id)\n".utf8))
            }
        }
    }
    try await group.waitForAll()
}
