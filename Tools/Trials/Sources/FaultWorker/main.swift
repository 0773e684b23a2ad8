// Uses stores by command: reads commands from its input, a line each, and responds "done" or "failed" with the reason.
// Before it calls a store, and when that was acknowledged, it writes a line, to its output and to the recorder of file
// operations, if that is preloaded. With --attack it is a crowd of hostile clients instead.
import FaultTesting
import Foundation

let arguments = CommandLine.arguments
if arguments.count > 1, arguments[1] == "--attack" {
    try await HostileCrowd.attack(Array(arguments.dropFirst(2)))
    exit(0)
}
guard arguments.count == 2 else { exit(64) }
let worker = Worker(folder: arguments[1])
while let line = readLine() {
    let words = line.split(separator: " ").map(String.init)
    guard !words.isEmpty else { continue }
    do {
        let answer = try await worker.run(words)
        worker.say(answer.isEmpty ? "done" : "done \(answer)")
    } catch {
        worker.say("failed \(type(of: error)): \("\(error)".split(whereSeparator: \.isNewline).joined(separator: " "))")
    }
}
