/// The leaves of a part in order: page number and first key of each.
package struct LeafList {
    private var pages: [UInt] = []
    private var bytes: [UInt8] = []
    /// The end offset of each key.
    private var ends: [Int] = []

    package var count: Int { pages.count }

    package mutating func append(_ page: UInt, _ key: some Sequence<UInt8>) {
        pages.append(page)
        bytes.append(contentsOf: key)
        ends.append(bytes.count)
    }

    package func page(_ index: Int) -> UInt { pages[index] }

    package func key(_ index: Int) -> [UInt8] { Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]) }
}
