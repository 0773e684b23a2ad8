// The second process of the tests: its first argument names the action, its second the path.
import Foundation

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    print(error)
    exit(1)
}
