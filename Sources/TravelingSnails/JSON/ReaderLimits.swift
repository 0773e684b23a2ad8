/// How much a reader buffers at once and at most.
struct ReaderLimits: Sendable {
    /// Bytes per read.
    var chunk = 256 * 1024
    /// The longest string, key or number that is kept, in bytes as written in the file.
    var longestToken = 16 * 1024 * 1024
    /// How deep objects and lists may be nested.
    var deepest = 512
    /// How many records and listed ids may be unusable: each is kept with its place and reason until the import ends, in some 500 bytes.
    var mostProblems = 100_000
}
