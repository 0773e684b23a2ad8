// The second process of the tests: what it does is named by its first argument, where it works by the second.
import Foundation

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    print(error)
    exit(1)
}
