public import Foundation

/// Looks for many patterns in the bytes of files, in one pass.
public struct CanarySearch: Sendable {
    private let patterns: [[UInt8]]
    private var byStart: [UInt64: [Int]] = [:]
    /// By two bytes: whether a pattern begins with them.
    private var mayStart = [Bool](repeating: false, count: 1 << 16)

    /// Patterns of 8 bytes or more.
    public init(_ patterns: [[UInt8]]) {
        self.patterns = patterns
        for (index, pattern) in patterns.enumerated() {
            byStart[pattern.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }, default: []].append(index)
            mayStart[Int(pattern[0]) << 8 | Int(pattern[1])] = true
        }
    }

    /// The numbers of the patterns that some bytes hold.
    public func found(in bytes: some ContiguousBytes) -> Set<Int> {
        bytes.withUnsafeBytes { raw in
            var found: Set<Int> = []
            guard raw.count >= 8 else { return found }
            mayStart.withUnsafeBufferPointer { mayStart in
                for start in 0...raw.count - 8 where mayStart[Int(raw[start]) << 8 | Int(raw[start + 1])] {
                    let word = raw.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                    for index in byStart[word] ?? [] where raw[start...].starts(with: patterns[index]) {
                        found.insert(index)
                    }
                }
            }
            return found
        }
    }

    /// Those that some file of a folder holds, or of a folder in it other than `skipped`; with the names of the files.
    public func found(inFilesOf folder: String, except skipped: String? = nil) throws -> [Int: Set<String>] {
        let files = FileManager.default
        var found: [Int: Set<String>] = [:]
        for name in try files.subpathsOfDirectory(atPath: folder) {
            if let skipped, name.hasPrefix(skipped + "/") { continue }
            guard let data = files.contents(atPath: "\(folder)/\(name)") else { continue }
            for index in self.found(in: data) { found[index, default: []].insert(name) }
        }
        return found
    }
}
