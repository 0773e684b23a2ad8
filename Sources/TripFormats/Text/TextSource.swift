import Platform
import TravelingSnails

/// The bytes of a text file, in memory or a page at a time. Used on one thread.
///
/// A byte that cannot be read counts as a line feed, and `check()` throws the reason.
final class TextSource: RandomAccessCollection {
    private static let pageSize = 256 << 10

    let startIndex: Int
    let endIndex: Int
    private var page: ArraySlice<UInt8>
    /// The index of the byte at index 0 of the page.
    private var pageStart = 0
    private let file: InputFile?
    private var fault: TextFormatError?

    init(_ bytes: ArraySlice<UInt8>) {
        (startIndex, endIndex, page, file) = (bytes.startIndex, bytes.endIndex, bytes, nil)
    }

    /// Opens a file without reading it whole. A byte order mark of UTF-8 is passed over.
    ///
    /// Throws `TextFormatError`: `unreadable`, `empty` or `wrongEncoding`.
    /// - Parameter isChecked: whether all bytes are read, and must be UTF-8.
    init(path: String, isChecked: Bool) throws(TextFormatError) {
        let file: InputFile
        do throws(ExportError) { file = try InputFile(path: path) } catch {
            throw TextFormatError(.unreadable, error.message.replacing(path, with: "It"))
        }
        self.file = file
        page = []
        endIndex = Int(file.identity.size)
        var buffer = [UInt8](repeating: 0, count: 4)
        let count = (try? file.read(into: &buffer, at: 0, count: 4)) ?? 0
        startIndex = count >= 3 && buffer[..<3] == [0xEF, 0xBB, 0xBF] ? 3 : 0
        try TextBytes.checkBeginning(buffer[..<count])
        guard contains(where: { !($0 == 0x20 || 0x09...0x0D ~= $0) }) else { throw TextBytes.isEmpty }
        if isChecked, let offset = firstFault() {
            throw TextBytes.notUTF8(self[offset], at: TextPlace(of: offset - startIndex, in: self))
        }
        try check()
    }

    subscript(index: Int) -> UInt8 {
        let offset = index - pageStart
        if offset >= page.startIndex, offset < page.endIndex { return page[offset] }
        // Going back, as for the column of an error, the page ends with the byte.
        load(index < pageStart ? Swift.max(0, index + 1 - Self.pageSize) : index)
        return page[index - pageStart]
    }

    func array(_ range: Range<Int>) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        _ = self[range.lowerBound]
        if range.upperBound - pageStart > page.endIndex { load(range.lowerBound) }
        let (first, last) = (range.lowerBound - pageStart, range.upperBound - pageStart)
        return last <= page.endIndex ? Array(page[first..<last]) : range.map { self[$0] }
    }

    /// Throws if bytes could not be read.
    func check() throws(TextFormatError) { if let fault { throw fault } }

    private func load(_ index: Int) {
        var (bytes, count) = ([UInt8](repeating: 0x0A, count: Swift.min(Self.pageSize, endIndex - index)), 0)
        do throws(ExportError) {
            try file?.seek(to: Int64(index))
            while count < bytes.count, let got = try file?.read(into: &bytes, at: count, count: bytes.count - count) {
                guard got > 0 else {
                    fault = fault ?? TextFormatError(.unreadable, "It became shorter while it was being read.")
                    break
                }
                count += got
            }
        } catch { fault = fault ?? TextFormatError(error) }
        (page, pageStart) = (bytes[...], index)
    }

    /// The first byte of the first sequence that is no UTF-8, or a NUL.
    func firstFault() -> Int? {
        var index = startIndex
        while index < endIndex {
            let part = array(index..<Swift.min(index + Self.pageSize, endIndex))
            guard let fault = TextBytes.firstFault(part[...]) else {
                index += part.count
                continue
            }
            // A character may go on in the next part.
            let isCut = part.count - fault < 4 && index + part.count < endIndex
            if !isCut || fault == 0 { return index + fault }
            index += fault
        }
        return nil
    }
}
