// Works on the store whose folder is its first argument until it is killed. With that argument alone it writes trips, from
// several tasks, and prints the id of each once it is acknowledged. With the folder of another store it exchanges with that
// again and again, and prints a line for each step.
import Foundation
import TripStore

guard let path = CommandLine.arguments.dropFirst().first else { exit(64) }
let store = try await TripStore.open(at: URL(fileURLWithPath: path))

@Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

if CommandLine.arguments.count > 2 {
    let other = URL(fileURLWithPath: CommandLine.arguments[2])
    while true {
        let report = try await store.exchange(with: .folder(other)) { step in
            say("\(step.stage.rawValue) \(step.received.commits) \(step.sent.commits)")
        }
        let trip = try await store.create(Trip(name: "After \(report.received.commits)"))
        say("\(trip)")
    }
}
try await withThrowingTaskGroup(of: Void.self) { group in
    for writer in 0..<4 {
        group.addTask {
            var number = 0
            while true {
                number += 1
                let trip = Trip(name: "Trip \(writer).\(number)", days: Day(2027, 1, 1)...Day(2027, 1, 2))
                let activity = Activity(name: "Activity", in: trip.id)
                try await store.append([.created(trip), .created(activity)])
                say("\(trip.id)")
            }
        }
    }
    try await group.waitForAll()
}
