package import Platform

extension DataFile {
    /// Everything that is wrong with the snapshot that starts at a meta page.
    package func faults(of meta: MetaPage, filePages: UInt) throws(StorageError) -> [StructureFault] {
        let number: UInt = meta.transaction & 1
        if let objection = meta.objectionToContent(number: number, filePages: filePages) { return [objection.fault] }
        var check = StructureCheck(self, meta, filePages: filePages)
        try check.run()
        return check.faults
    }
}

extension DataFile.Objection {
    package var fault: StructureFault {
        StructureFault(kind: kind, table: nil, page: page, description: words)
    }
}
