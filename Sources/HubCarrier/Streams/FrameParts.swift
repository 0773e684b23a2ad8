#if Hub
    import LogExchange

    /// Finds where the frames of a stream begin and end in the bytes of it: gRPC puts a byte and a length of four before each.
    struct FrameParts {
        /// gRPC's length prefix.
        static let prefix = 5

        /// The bytes of a prefix of which not all have come.
        private var begun: [UInt8] = []
        /// How many bytes of the frame are to come.
        private var left = 0
        /// The length of a frame of whose first bytes not enough have come, and those.
        private var opening: (length: Int, bytes: [UInt8])?

        /// Whether a part of a frame has come, and not all of it.
        var isWithin: Bool { left > 0 || !begun.isEmpty }

        /// Passes over some bytes, and calls `begins` with the length and the first bytes of each frame of which enough of them have come.
        mutating func pass(_ bytes: some Collection<UInt8>, begins: (Int, [UInt8]) -> Void) {
            var rest = bytes[...]
            while !rest.isEmpty {
                if left > 0 {
                    let taken = rest.prefix(left)
                    rest = rest.dropFirst(taken.count)
                    left -= taken.count
                    guard var opened = opening else { continue }
                    opened.bytes += taken.prefix(SessionFrame.beginning - opened.bytes.count)
                    opening = opened
                    if left == 0 || opened.bytes.count == SessionFrame.beginning {
                        opening = nil
                        begins(opened.length, opened.bytes)
                    }
                    continue
                }
                let taken = rest.prefix(Self.prefix - begun.count)
                begun += taken
                rest = rest.dropFirst(taken.count)
                guard begun.count == Self.prefix else { return }
                left = begun.dropFirst().reduce(0) { $0 << 8 | Int($1) }
                begun = []
                if left == 0 { begins(0, []) } else { opening = (left, []) }
            }
        }
    }
#endif
