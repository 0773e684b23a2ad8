// Works on the store whose folder is its first argument until it is killed. With that argument alone it writes trips,
// from several tasks, and prints the id of each once it is acknowledged. With the folder of another store it exchanges
// with that again and again, and prints a line for each step. With `clone` or `backup` and two folders it does that
// once, from the first to the second, and prints a line for each step. With `read` and a folder it prints the number of
// trips whenever that changes, as a widget shows it; with `suspend` it writes five trips, suspends the store and says so.
import Foundation
import TripStore

guard let path = CommandLine.arguments.dropFirst().first else { exit(64) }

@Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

if ["clone", "backup"].contains(path), CommandLine.arguments.count == 4 {
    let (from, to) = (URL(fileURLWithPath: CommandLine.arguments[2]), URL(fileURLWithPath: CommandLine.arguments[3]))
    if path == "clone" {
        let store = try await TripStore.clone(.folder(from), to: to) { step in
            say("\(step.stage) \(step.received.commits)")
        }.store
        await store.close()
    } else {
        let store = try await TripStore.open(at: from, options: .readOnly)
        try await store.backup(to: to) { say("\($0.stage) \($0.done)") }
    }
    exit(0)
}

if ["read", "suspend"].contains(path), CommandLine.arguments.count == 3 {
    let folder = URL(fileURLWithPath: CommandLine.arguments[2])
    if path == "read" {
        let store = try await TripStore.open(at: folder, options: TripStore.Options(access: .readOnlyBuildingViews))
        for try await count in store.live({ try $0.tripCount() }) { say("\(count)") }
    } else {
        let store = try await TripStore.open(at: folder)
        for number in 0..<5 { try await store.create(Trip(name: "Trip \(number)")) }
        try await store.suspend()
        say("suspended")
        while true { try await Task.sleep(for: .seconds(600)) }
    }
}

let store = try await TripStore.open(at: URL(fileURLWithPath: path))

if CommandLine.arguments.count > 2 {
    let other = URL(fileURLWithPath: CommandLine.arguments[2])
    while true {
        let report = try await store.exchange(with: .folder(other)) { step in
            say("\(step.stage) \(step.received.commits) \(step.sent.commits)")
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
