import LMDB
import Platform

/// A file or folder of a recorded medium: what is certainly on the medium, and what may be.
///
/// A reference type: names lead to it, and it may have several or none.
final class RecordedFile {
    /// A change of the contents that is not synced.
    struct Change {
        let number: UInt64
        /// Bytes at an offset; nil for a new size alone.
        var bytes: ArraySlice<UInt8>?
        /// The offset, or the new size.
        var offset: Int
        /// Whether a sync of it failed, so that a later one proves nothing for it.
        var isLost = false
    }

    let isFolder: Bool
    /// Every name that it has had.
    var names: Set<String> = []
    /// The file's identity when it was recorded.
    let mark: FileOrigin
    /// The contents that a power cut leaves at least.
    private(set) var synced: [UInt8]
    private(set) var pending: [Change] = []
    /// The names that a power cut leaves at least, of a folder.
    var syncedEntries: [String: RecordedFile] = [:]
    /// The names as processes see them.
    var entries: [String: RecordedFile] = [:]

    init(isFolder: Bool, mark: FileOrigin, contents: [UInt8] = []) {
        self.isFolder = isFolder
        self.mark = mark
        synced = contents
    }

    func change(_ change: Change) { pending.append(change) }

    /// Makes a change durable at once, and nothing else.
    func changeDurably(_ change: Change) { apply(change) }

    /// Makes durable what was recorded below a number.
    func sync(before number: UInt64) {
        let covered = pending.filter { $0.number < number && !$0.isLost }
        pending.removeAll { $0.number < number && !$0.isLost }
        for change in covered { apply(change) }
    }

    /// A sync of what was recorded below a number failed.
    func lose(before number: UInt64) {
        for index in pending.indices where pending[index].number < number { pending[index].isLost = true }
    }

    private func apply(_ change: Change) {
        guard let bytes = change.bytes else {
            resize(&synced, to: change.offset)
            return
        }
        synced.write(bytes, at: change.offset)
        // Earlier writes there no longer matter.
        pending = pending.flatMap { earlier -> [Change] in
            guard earlier.number < change.number, let old = earlier.bytes else { return [earlier] }
            let (start, end) = (change.offset, change.offset + bytes.count)
            let range = earlier.offset..<(earlier.offset + old.count)
            guard range.overlaps(start..<end) else { return [earlier] }
            var rest: [Change] = []
            if range.lowerBound < start {
                var part = earlier
                part.bytes = old.prefix(start - range.lowerBound)
                rest.append(part)
            }
            if range.upperBound > end {
                var part = earlier
                part.bytes = old.suffix(range.upperBound - end)
                part.offset = end
                rest.append(part)
            }
            return rest
        }
    }

    /// The contents as processes see them.
    var contents: [UInt8] {
        var contents = synced
        for change in pending {
            if let bytes = change.bytes {
                contents.write(bytes, at: change.offset)
            } else {
                resize(&contents, to: change.offset)
            }
        }
        return contents
    }
}

func resize(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count {
        bytes.removeLast(bytes.count - size)
    } else {
        bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
}

extension [UInt8] {
    /// Overwrites a part; the range between the end and the offset becomes zeros.
    mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int) {
        if count < offset + bytes.count { resize(&self, to: offset + bytes.count) }
        withUnsafeMutableBytes { target in
            bytes.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<(offset + source.count)])
                    .copyMemory(from: source)
            }
        }
    }
}
