/// A part of a data file that is not as LMDB leaves it.
public struct StructureFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault, for code.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// One of the two meta pages is invalid.
        public static let metaPage = Kind(rawValue: "metaPage")
        /// The file ends before pages that are in use.
        public static let fileTooShort = Kind(rawValue: "fileTooShort")
        /// A page number lies outside of the file.
        public static let pageOutOfRange = Kind(rawValue: "pageOutOfRange")
        /// A page is used twice, or used and listed as free.
        public static let pageUsedTwice = Kind(rawValue: "pageUsedTwice")
        /// A page's own number or its flags do not match the reference to it.
        public static let pageHeader = Kind(rawValue: "pageHeader")
        /// The rows of a page, or their bounds, do not fit it.
        public static let pageLayout = Kind(rawValue: "pageLayout")
        /// A row has unknown flags.
        public static let rowFlags = Kind(rawValue: "rowFlags")
        /// A key is empty, too long, or of the wrong length for its table.
        public static let keySize = Kind(rawValue: "keySize")
        /// Keys are out of order, within a page or across pages.
        public static let keyOrder = Kind(rawValue: "keyOrder")
        /// A value is larger than the pages that hold it.
        public static let valueSize = Kind(rawValue: "valueSize")
        /// A tree is not as deep as it claims, or unequally deep.
        public static let treeDepth = Kind(rawValue: "treeDepth")
        /// A table has flags that are not used here.
        public static let tableFlags = Kind(rawValue: "tableFlags")
        /// A table's numbers of rows or pages differ from its record.
        public static let treeCounts = Kind(rawValue: "treeCounts")
        /// A row of the free list is not a list of pages.
        public static let freeListRow = Kind(rawValue: "freeListRow")
        /// Pages are neither used nor listed as free: they waste space, and endanger nothing.
        public static let lostPages = Kind(rawValue: "lostPages")
    }

    public let kind: Kind
    /// The named table; nil for the free list, the table of tables and the file as a whole.
    public let table: String?
    /// The number of the page that shows the fault.
    public let page: UInt?
    /// A description of the fault, with the page that shows it and the values.
    public let description: String
    /// Whether a process may just be creating the file: then it is intact a moment later.
    let mayBeUnfinished: Bool

    init(kind: Kind, table: String? = nil, page: UInt?, description: String, mayBeUnfinished: Bool = false) {
        (self.kind, self.table, self.page, self.description) = (kind, table, page, description)
        self.mayBeUnfinished = mayBeUnfinished
    }

    /// Whether reading or writing here could go wrong, or return data that was never written.
    public var isDangerous: Bool { kind != .lostPages }
}
