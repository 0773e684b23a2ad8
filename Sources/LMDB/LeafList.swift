/// The leaves of a part in their order: the number of each page and its first key.
struct LeafList {
    private var pages: [UInt] = []
    private var bytes: [UInt8] = []
    /// Where each key ends among the bytes.
    private var ends: [Int] = []

    var count: Int { pages.count }

    mutating func append(_ page: UInt, _ key: some Sequence<UInt8>) {
        pages.append(page)
        bytes.append(contentsOf: key)
        ends.append(bytes.count)
    }

    func page(_ index: Int) -> UInt { pages[index] }

    func key(_ index: Int) -> [UInt8] { Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]) }
}
