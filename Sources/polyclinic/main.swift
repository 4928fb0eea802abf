import PolyclinicServer

Polyclinic.main(modules)
