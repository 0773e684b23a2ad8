package import Platform

extension DataFile {
    /// Every fault of the snapshot that a meta page names.
    package func faults(of meta: MetaPage, filePages: UInt) throws(StorageError) -> [StructureFault] {
        let number: UInt = meta.transaction & 1
        if let fault = meta.contentFault(number: number, filePages: filePages) { return [fault] }
        var check = StructureCheck(self, meta, filePages: filePages)
        try check.run()
        return check.faults
    }
}
