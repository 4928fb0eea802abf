import PolyclinicDemonstration
import PolyclinicServer

Polyclinic.main(modules, demonstration: .town)
