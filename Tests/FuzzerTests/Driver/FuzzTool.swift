import Foundation
import LibFuzzer

/// Feeds one decoder with inputs that libFuzzer makes: `fuzz NAME [libFuzzer's arguments]`. `fuzz` alone names them all with
/// the length of their longest input; `fuzz seeds FOLDER --bundle FILE… --export FILE… --calendar FILE… --table FILE…` writes a corpus for each.
@main
struct FuzzTool {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            for fuzzer in Fuzzers.all { print(fuzzer.name, fuzzer.longestInput) }
            return
        }
        let (name, rest) = (arguments[1], Array(arguments.dropFirst(2)))
        if name == "seeds" { return try SeedWriter(rest).write() }
        guard let kind = Fuzzers.all.first(where: { $0.name == name }) else {
            throw FuzzError("There is no fuzzer '\(name)'. There are: \(Fuzzers.all.map { $0.name }).")
        }
        try run(kind, [arguments[0]] + rest)
    }

    private static func run(_ kind: any Fuzzer.Type, _ arguments: [String]) throws {
        let scratch = try ScratchFolder()
        current = try kind.init(in: scratch.path)
        AllocationCounter.start()
        // libFuzzer keeps them for as long as the program runs.
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
        for (index, argument) in arguments.enumerated() { pointers[index] = strdup(argument) }
        pointers[arguments.count] = nil
        var (count, start): (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) = (
            Int32(arguments.count), pointers
        )
        let code = LLVMFuzzerRunDriver(&count, &start, feed)
        exit(code)
    }
}

/// The running one. Sound: it is set before libFuzzer begins, which calls from one thread.
private nonisolated(unsafe) var current: (any Fuzzer)?

/// One input. A decoder may throw; its allocations are compared with the size of the input.
private func feed(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard let current else { return 0 }
    let kind = type(of: current)
    let before = AllocationCounter.bytes
    try? current.feed(UnsafeRawBufferPointer(start: bytes, count: size))
    let allocated = AllocationCounter.bytes - before
    expect(
        allocated <= kind.allocationBase + size * kind.allocationFactor,
        "\(allocated) bytes were allocated for an input of \(size)")
    return 0
}
