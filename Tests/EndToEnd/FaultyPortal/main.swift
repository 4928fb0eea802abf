import Contacts
import PolyclinicServer

Polyclinic.main([ContactsModule(), FaultyModule()])
